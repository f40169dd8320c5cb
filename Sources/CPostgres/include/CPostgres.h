/// The part of libpq that `AccountPostgres` uses, opened while the program runs.
///
/// Nothing links libpq: a program that speaks PostgreSQL also runs where libpq is not installed, and a machine's own libpq
/// and OpenSSL get their security updates without a new build. Call `libpq_open` first and successfully; every function
/// below needs it. Types and numbers are those of libpq.so.5, whose ABI has not changed since 2006;
/// Tests/Packaging/test_libpq.py compares them with libpq's own header.
#pragma once

// A program that has included libpq's own header has all of this already, except the list of functions.
#ifndef LIBPQ_FE_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;
typedef void (*PQnoticeProcessor)(void *arg, const char *message);

typedef enum { CONNECTION_OK, CONNECTION_BAD } ConnStatusType;

typedef enum {
    PGRES_POLLING_FAILED = 0,
    PGRES_POLLING_READING,
    PGRES_POLLING_WRITING,
    PGRES_POLLING_OK
} PostgresPollingStatusType;

typedef enum { PGRES_EMPTY_QUERY = 0, PGRES_COMMAND_OK, PGRES_TUPLES_OK } ExecStatusType;

typedef enum { PQTRANS_IDLE } PGTransactionStatusType;

/// An option of a connection. A list of them ends with one without a keyword.
typedef struct _PQconninfoOption {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} PQconninfoOption;

#endif

// FUNCTION(result, name, parameters, arguments)
#define LIBPQ_FUNCTIONS(FUNCTION) \
    FUNCTION(PGconn *, PQconnectStartParams, \
        (const char *const *keywords, const char *const *values, int expand_dbname), (keywords, values, expand_dbname)) \
    FUNCTION(PostgresPollingStatusType, PQconnectPoll, (PGconn *conn), (conn)) \
    FUNCTION(PQconninfoOption *, PQconndefaults, (void), ()) \
    FUNCTION(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **errmsg), (conninfo, errmsg)) \
    FUNCTION(ConnStatusType, PQstatus, (const PGconn *conn), (conn)) \
    FUNCTION(PGTransactionStatusType, PQtransactionStatus, (const PGconn *conn), (conn)) \
    FUNCTION(char *, PQerrorMessage, (const PGconn *conn), (conn)) \
    FUNCTION(int, PQsocket, (const PGconn *conn), (conn)) \
    FUNCTION(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *conn, PQnoticeProcessor proc, void *arg), \
        (conn, proc, arg)) \
    FUNCTION(int, PQsetnonblocking, (PGconn *conn, int arg), (conn, arg)) \
    FUNCTION(int, PQenterPipelineMode, (PGconn *conn), (conn)) \
    FUNCTION(int, PQexitPipelineMode, (PGconn *conn), (conn)) \
    FUNCTION(int, PQpipelineSync, (PGconn *conn), (conn)) \
    FUNCTION(int, PQsendQuery, (PGconn *conn, const char *query), (conn, query)) \
    FUNCTION(int, PQsendPrepare, \
        (PGconn *conn, const char *stmtName, const char *query, int nParams, const Oid *paramTypes), \
        (conn, stmtName, query, nParams, paramTypes)) \
    FUNCTION(int, PQsendQueryPrepared, \
        (PGconn *conn, const char *stmtName, int nParams, const char *const *paramValues, const int *paramLengths, \
            const int *paramFormats, int resultFormat), \
        (conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat)) \
    FUNCTION(int, PQflush, (PGconn *conn), (conn)) \
    FUNCTION(int, PQconsumeInput, (PGconn *conn), (conn)) \
    FUNCTION(int, PQisBusy, (PGconn *conn), (conn)) \
    FUNCTION(PGresult *, PQgetResult, (PGconn *conn), (conn)) \
    FUNCTION(ExecStatusType, PQresultStatus, (const PGresult *res), (res)) \
    FUNCTION(char *, PQresultErrorField, (const PGresult *res, int fieldcode), (res, fieldcode)) \
    FUNCTION(int, PQntuples, (const PGresult *res), (res)) \
    FUNCTION(int, PQnfields, (const PGresult *res), (res)) \
    FUNCTION(char *, PQcmdTuples, (PGresult *res), (res)) \
    FUNCTION(Oid, PQftype, (const PGresult *res, int field_num), (res, field_num)) \
    FUNCTION(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
    FUNCTION(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num)) \
    FUNCTION(char *, PQgetvalue, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num))

// The list of functions without a result.
#define LIBPQ_PROCEDURES(PROCEDURE) \
    PROCEDURE(PQconninfoFree, (PQconninfoOption *connOptions), (connOptions)) \
    PROCEDURE(PQfreemem, (void *ptr), (ptr)) \
    PROCEDURE(PQfinish, (PGconn *conn), (conn)) \
    PROCEDURE(PQclear, (PGresult *res), (res))

/// The addresses of libpq's functions. All are null until `libpq_open` has succeeded.
struct libpq_functions {
#define LIBPQ_FIELD(result, name, parameters, arguments) result (*name) parameters;
#define LIBPQ_PROCEDURE_FIELD(name, parameters, arguments) void (*name) parameters;
    LIBPQ_FUNCTIONS(LIBPQ_FIELD)
    LIBPQ_PROCEDURES(LIBPQ_PROCEDURE_FIELD)
#undef LIBPQ_FIELD
#undef LIBPQ_PROCEDURE_FIELD
};

/// Opens libpq, once in a process. Any thread may call it, as often as it likes.
///
/// Returns null when every function is there. Otherwise it returns the loader's reason, which stays valid.
const char *libpq_open(void);

extern struct libpq_functions libpq;

#ifndef LIBPQ_FE_H

#define LIBPQ_CALL(result, name, parameters, arguments) \
    static inline result name parameters { return libpq.name arguments; }
#define LIBPQ_PROCEDURE_CALL(name, parameters, arguments) \
    static inline void name parameters { libpq.name arguments; }
LIBPQ_FUNCTIONS(LIBPQ_CALL)
LIBPQ_PROCEDURES(LIBPQ_PROCEDURE_CALL)
#undef LIBPQ_CALL
#undef LIBPQ_PROCEDURE_CALL

#endif
