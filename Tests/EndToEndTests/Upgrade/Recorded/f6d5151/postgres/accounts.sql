CREATE TABLE account_events (
    account_id text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    about text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    CONSTRAINT account_events_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT account_events_revision_check CHECK ((revision > 0))
);
CREATE TABLE account_notices (
    hook text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    sequence bigint NOT NULL,
    happened_at bigint NOT NULL,
    identity_id text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    waiting_since bigint NOT NULL,
    next_attempt_at bigint NOT NULL,
    leased_until bigint NOT NULL,
    owner text COLLATE pg_catalog."C",
    failure text COLLATE pg_catalog."C",
    CONSTRAINT account_notices_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT account_notices_failure_check CHECK ((failure <> ''::text)),
    CONSTRAINT account_notices_hook_check CHECK ((hook <> ''::text)),
    CONSTRAINT account_notices_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT account_notices_owner_check CHECK ((owner <> ''::text)),
    CONSTRAINT account_notices_sequence_check CHECK ((sequence > 0)),
    CONSTRAINT account_notices_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'parked'::text])))
);
CREATE TABLE accounts (
    id text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    given_name text COLLATE pg_catalog."C",
    family_name text COLLATE pg_catalog."C",
    middle_name text COLLATE pg_catalog."C",
    name_prefix text COLLATE pg_catalog."C",
    name_suffix text COLLATE pg_catalog."C",
    nickname text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    disabled_at bigint,
    CONSTRAINT accounts_revision_check CHECK ((revision > 0))
);
CREATE TABLE apple_key_set (
    singleton bigint NOT NULL,
    json bytea NOT NULL,
    fetched_at bigint NOT NULL,
    CONSTRAINT apple_key_set_singleton_check CHECK ((singleton = 1))
);
CREATE TABLE apple_notifications (
    id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    change text NOT NULL COLLATE pg_catalog."C",
    team text NOT NULL COLLATE pg_catalog."C",
    audience text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    happened_at bigint NOT NULL,
    received_at bigint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    CONSTRAINT apple_notifications_audience_check CHECK ((audience <> ''::text)),
    CONSTRAINT apple_notifications_change_check CHECK ((change <> ''::text)),
    CONSTRAINT apple_notifications_id_check CHECK ((id <> ''::text)),
    CONSTRAINT apple_notifications_outcome_check CHECK ((outcome <> ''::text)),
    CONSTRAINT apple_notifications_subject_check CHECK ((subject <> ''::text)),
    CONSTRAINT apple_notifications_team_check CHECK ((team <> ''::text)),
    CONSTRAINT apple_notifications_type_check CHECK ((type <> ''::text))
);
CREATE TABLE apple_tokens (
    id text NOT NULL COLLATE pg_catalog."C",
    identity_id text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    obtained_at bigint NOT NULL,
    next_check_at bigint,
    check_leased_until bigint,
    last_checked_at bigint,
    found_dead_at bigint,
    CONSTRAINT apple_tokens_client_id_check CHECK ((client_id <> ''::text))
);
CREATE TABLE attempts (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    purpose text NOT NULL COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    nonce text NOT NULL COLLATE pg_catalog."C",
    return_path text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    authorization_id text COLLATE pg_catalog."C",
    without_nonce boolean,
    CONSTRAINT attempts_browser_hash_check CHECK ((length(browser_hash) = 32)),
    CONSTRAINT attempts_client_id_check CHECK ((client_id <> ''::text)),
    CONSTRAINT attempts_nonce_check CHECK ((nonce <> ''::text)),
    CONSTRAINT attempts_purpose_check CHECK ((purpose <> ''::text)),
    CONSTRAINT attempts_return_path_check CHECK ((return_path <> ''::text)),
    CONSTRAINT attempts_state_hash_check CHECK ((length(state_hash) = 32))
);
CREATE TABLE audit (
    id text NOT NULL COLLATE pg_catalog."C",
    happened_at bigint NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    account_id text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    detail text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    device text COLLATE pg_catalog."C",
    CONSTRAINT audit_actor_check CHECK ((actor <> ''::text)),
    CONSTRAINT audit_event_check CHECK ((event <> ''::text))
);
CREATE TABLE authorizations (
    id text NOT NULL COLLATE pg_catalog."C",
    app_id text NOT NULL COLLATE pg_catalog."C",
    redirect_uri text COLLATE pg_catalog."C",
    device_code_hash bytea,
    user_code_hash bytea,
    poll_interval bigint,
    polled_at bigint,
    challenge bytea NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    nonce text COLLATE pg_catalog."C",
    sealed_state bytea,
    address text NOT NULL COLLATE pg_catalog."C",
    network text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    kept_until bigint NOT NULL,
    allowed_at bigint,
    browser_hash bytea,
    ended_at bigint,
    failure text COLLATE pg_catalog."C",
    sealed_result bytea,
    token_hash bytea,
    token_fresh_until bigint,
    apple_token_id text COLLATE pg_catalog."C",
    apple_token_sealed bytea,
    apple_token_obtained_at bigint,
    handle_hash bytea,
    handle_expires_at bigint,
    redeemed_at bigint,
    code_hash bytea,
    code_expires_at bigint,
    code_used_at bigint,
    CONSTRAINT authorizations_app_id_check CHECK ((app_id <> ''::text)),
    CONSTRAINT authorizations_browser_hash_check CHECK ((length(browser_hash) = 32)),
    CONSTRAINT authorizations_challenge_check CHECK ((length(challenge) = 32)),
    CONSTRAINT authorizations_check CHECK (((redirect_uri IS NULL) = (device_code_hash IS NOT NULL))),
    CONSTRAINT authorizations_check1 CHECK (((device_code_hash IS NULL) = (user_code_hash IS NULL))),
    CONSTRAINT authorizations_check10 CHECK (((code_hash IS NULL) = (code_expires_at IS NULL))),
    CONSTRAINT authorizations_check2 CHECK (((device_code_hash IS NULL) = (poll_interval IS NULL))),
    CONSTRAINT authorizations_check3 CHECK (((sealed_result IS NULL) = (token_hash IS NULL))),
    CONSTRAINT authorizations_check4 CHECK (((sealed_result IS NULL) = (token_fresh_until IS NULL))),
    CONSTRAINT authorizations_check5 CHECK (((ended_at IS NOT NULL) = ((failure IS NOT NULL) OR (sealed_result IS NOT NULL)))),
    CONSTRAINT authorizations_check6 CHECK (((failure IS NULL) OR (sealed_result IS NULL))),
    CONSTRAINT authorizations_check7 CHECK (((apple_token_id IS NULL) = (apple_token_sealed IS NULL))),
    CONSTRAINT authorizations_check8 CHECK (((apple_token_id IS NULL) = (apple_token_obtained_at IS NULL))),
    CONSTRAINT authorizations_check9 CHECK (((handle_hash IS NULL) = (handle_expires_at IS NULL))),
    CONSTRAINT authorizations_client_id_check CHECK ((client_id <> ''::text)),
    CONSTRAINT authorizations_code_hash_check CHECK ((length(code_hash) = 32)),
    CONSTRAINT authorizations_device_code_hash_check CHECK ((length(device_code_hash) = 32)),
    CONSTRAINT authorizations_failure_check CHECK ((failure <> ''::text)),
    CONSTRAINT authorizations_handle_hash_check CHECK ((length(handle_hash) = 32)),
    CONSTRAINT authorizations_nonce_check CHECK ((nonce <> ''::text)),
    CONSTRAINT authorizations_poll_interval_check CHECK ((poll_interval > 0)),
    CONSTRAINT authorizations_redirect_uri_check CHECK ((redirect_uri <> ''::text)),
    CONSTRAINT authorizations_token_hash_check CHECK ((length(token_hash) = 32)),
    CONSTRAINT authorizations_user_code_hash_check CHECK ((length(user_code_hash) = 32))
);
CREATE TABLE belongs_to (
    singleton bigint NOT NULL,
    apple text NOT NULL COLLATE pg_catalog."C",
    user_codes_keyed_from bigint,
    CONSTRAINT belongs_to_apple_check CHECK ((apple <> ''::text)),
    CONSTRAINT belongs_to_singleton_check CHECK ((singleton = 1))
);
CREATE TABLE deletions (
    handle_hash bytea NOT NULL,
    revision bigint NOT NULL,
    requested_at bigint NOT NULL,
    finished_at bigint,
    is_withdrawn boolean NOT NULL,
    asks_apple boolean NOT NULL,
    CONSTRAINT deletions_handle_hash_check CHECK ((length(handle_hash) = 32))
);
CREATE TABLE hooks (
    name text NOT NULL COLLATE pg_catalog."C",
    seen_at bigint NOT NULL,
    CONSTRAINT hooks_name_check CHECK ((name <> ''::text))
);
CREATE TABLE identities (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C",
    team text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    email text COLLATE pg_catalog."C",
    email_verified boolean NOT NULL,
    is_private_email boolean NOT NULL,
    real_user_status bigint,
    created_at bigint NOT NULL,
    last_sign_in_at bigint NOT NULL,
    org_id text COLLATE pg_catalog."C",
    forwarding_on boolean,
    forwarding_changed_at bigint,
    last_authorized_at bigint,
    access_ended_at bigint,
    access_end_reason text COLLATE pg_catalog."C",
    own_revoke_at bigint,
    removed_at bigint,
    revocation_ordered_at bigint,
    CONSTRAINT identities_provider_check CHECK ((provider <> ''::text)),
    CONSTRAINT identities_subject_check CHECK ((subject <> ''::text)),
    CONSTRAINT identities_team_check CHECK ((team <> ''::text))
);
CREATE TABLE kept_names (
    team text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT kept_names_subject_check CHECK ((subject <> ''::text)),
    CONSTRAINT kept_names_team_check CHECK ((team <> ''::text))
);
CREATE TABLE migrations (
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE outbox (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    client_id text COLLATE pg_catalog."C",
    sealed bytea,
    person_hash bytea,
    identity_id text COLLATE pg_catalog."C",
    deletion_hash bytea,
    attempts bigint NOT NULL,
    created_at bigint NOT NULL,
    waiting_since bigint NOT NULL,
    next_attempt_at bigint NOT NULL,
    leased_until bigint NOT NULL,
    owner text COLLATE pg_catalog."C",
    failure text COLLATE pg_catalog."C",
    finished_at bigint,
    ordered_at bigint,
    asked_at bigint,
    CONSTRAINT outbox_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT outbox_check CHECK (((state = ANY (ARRAY['waiting'::text, 'parked'::text])) = (finished_at IS NULL))),
    CONSTRAINT outbox_check1 CHECK (((finished_at IS NULL) OR (sealed IS NULL))),
    CONSTRAINT outbox_client_id_check CHECK ((client_id <> ''::text)),
    CONSTRAINT outbox_deletion_hash_check CHECK ((length(deletion_hash) = 32)),
    CONSTRAINT outbox_failure_check CHECK ((failure <> ''::text)),
    CONSTRAINT outbox_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT outbox_owner_check CHECK ((owner <> ''::text)),
    CONSTRAINT outbox_person_hash_check CHECK ((length(person_hash) = 32)),
    CONSTRAINT outbox_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'parked'::text, 'done'::text, 'withdrawn'::text, 'expired'::text])))
);
CREATE TABLE server_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    purpose text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    sealed bytea NOT NULL,
    created_at bigint NOT NULL,
    retired_at bigint,
    CONSTRAINT server_keys_purpose_check CHECK ((purpose <> ''::text)),
    CONSTRAINT server_keys_state_check CHECK ((state = ANY (ARRAY['next'::text, 'active'::text, 'retired'::text])))
);
CREATE TABLE sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    identity_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    client_id text NOT NULL COLLATE pg_catalog."C",
    secret_hash bytea NOT NULL,
    browser_hash bytea,
    previous_hash bytea,
    rotated_at bigint,
    generation bigint NOT NULL,
    created_at bigint NOT NULL,
    authenticated_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    ended_at bigint,
    end_reason text COLLATE pg_catalog."C",
    without_nonce boolean,
    device_name text COLLATE pg_catalog."C",
    has_signed_token boolean,
    attempt_hash bytea,
    used_generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT sessions_attempt_hash_check CHECK ((length(attempt_hash) = 32)),
    CONSTRAINT sessions_browser_hash_check CHECK ((length(browser_hash) = 32)),
    CONSTRAINT sessions_check CHECK (((previous_hash IS NULL) = (rotated_at IS NULL))),
    CONSTRAINT sessions_check1 CHECK (((ended_at IS NULL) = (end_reason IS NULL))),
    CONSTRAINT sessions_client_id_check CHECK ((client_id <> ''::text)),
    CONSTRAINT sessions_end_reason_check CHECK ((end_reason <> ''::text)),
    CONSTRAINT sessions_generation_check CHECK ((generation >= 0)),
    CONSTRAINT sessions_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'tokens'::text]))),
    CONSTRAINT sessions_previous_hash_check CHECK ((length(previous_hash) = 32)),
    CONSTRAINT sessions_secret_hash_check CHECK ((length(secret_hash) = 32))
);
CREATE TABLE spent (
    kind text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT spent_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT spent_kind_check CHECK ((kind <> ''::text))
);
CREATE TABLE stopped_checks (
    client_id text NOT NULL COLLATE pg_catalog."C",
    stopped_at bigint NOT NULL,
    checked bigint NOT NULL,
    died bigint NOT NULL,
    CONSTRAINT stopped_checks_client_id_check CHECK ((client_id <> ''::text))
);
CREATE TABLE wrong_codes (
    kind text NOT NULL COLLATE pg_catalog."C",
    network text NOT NULL COLLATE pg_catalog."C",
    window_start bigint NOT NULL,
    count bigint NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT wrong_codes_count_check CHECK ((count > 0)),
    CONSTRAINT wrong_codes_kind_check CHECK ((kind <> ''::text))
);
INSERT INTO account_events VALUES ('acc_06h0eaebewzaj7j8bjtf3qvhm4', 1, 'signed_in', 1795416509303689, 'ses_06h0eaebeznk3wven7j744tq5m', NULL, 1798008509303689);
INSERT INTO account_events VALUES ('acc_06h0eaebewzaj7j8bjtf3qvhm4', 2, 'signed_in', 1795416509457197, 'ses_06h0eaec27ptnaavacq60nz100', NULL, 1798008509457197);
INSERT INTO account_events VALUES ('acc_06h0eaecakt04kb60tqegra8k0', 1, 'signed_in', 1795416509524366, 'ses_06h0eaecaj1w0nbfb40kc795p4', NULL, 1798008509524366);
INSERT INTO account_events VALUES ('acc_06h0eaecqqcr13dk30fcwskdjm', 1, 'signed_in', 1795416509629711, 'ses_06h0eaecqq4gcgbrf2a6fsch8c', NULL, 1798008509629711);
INSERT INTO account_events VALUES ('acc_06h0eaecqqcr13dk30fcwskdjm', 2, 'account_deleted', 1795416509665948, NULL, NULL, 1798008509665948);
INSERT INTO account_events VALUES ('acc_06h0eaed2799mq2s0npt0f0ywr', 1, 'signed_in', 1795416509713592, 'ses_06h0eaed25aqzsbwqgyf6yskh4', NULL, 1798008509713592);
INSERT INTO account_events VALUES ('acc_06h0eaed2799mq2s0npt0f0ywr', 2, 'apple_access_revoked', 1795416509739611, 'idn_06h0eaed26k186m4s11yqg3g88', NULL, 1798008509739611);
INSERT INTO account_events VALUES ('acc_06h0eaeda4jvwnp102pgz14n00', 1, 'signed_in', 1795416509777878, 'ses_06h0eaeda7q3kmxnb3g20585e0', NULL, 1798008509777878);
INSERT INTO account_events VALUES ('acc_06h0eaedpz6k855pah3ryz0f1g', 1, 'signed_in', 1795416509879095, 'ses_06h0eaedpwh659h03h1xvddhbw', NULL, 1798008509879095);
INSERT INTO account_events VALUES ('acc_06h0eaedpz6k855pah3ryz0f1g', 3, 'session_ended', 1795416510124456, 'ses_06h0eaedpwh659h03h1xvddhbw', 'account_disabled', 1798008510124456);
INSERT INTO account_notices VALUES ('webhook', 'msg_06h0eaecw61n7f0sgwjg50syq8', 'account.deleted', 'acc_06h0eaecqqcr13dk30fcwskdjm', 2, 1795416509665948, NULL, NULL, 'waiting', 0, 1795416509665948, 1795416509665948, 0, NULL, NULL);
INSERT INTO account_notices VALUES ('webhook', 'msg_06h0eaeda41pxfnk1vk0n8k7mw', 'account.created', 'acc_06h0eaeda4jvwnp102pgz14n00', 1, 1795416509777878, 'idn_06h0eaeda6v9a99w7snjzbk5sg', NULL, 'waiting', 1, 1795416509777878, 1795416512736890, 0, '-smhraQXnVRpCQnA2hR2Lw', 'not_answered');
INSERT INTO account_notices VALUES ('webhook', 'msg_06h0eaebexgcyhnwtx1yp3yyfm', 'account.created', 'acc_06h0eaebewzaj7j8bjtf3qvhm4', 1, 1795416509303689, 'idn_06h0eaebezdrcw56n9xpzc6kh0', NULL, 'waiting', 1, 1795416509303689, 1795416513800833, 0, '-smhraQXnVRpCQnA2hR2Lw', 'not_answered');
INSERT INTO account_notices VALUES ('webhook', 'msg_06h0eaedpzjqt456pz55r9kpz4', 'account.created', 'acc_06h0eaedpz6k855pah3ryz0f1g', 1, 1795416509879095, 'idn_06h0eaedpxcg6rddnkb1d42380', NULL, 'waiting', 1, 1795416509879095, 1795416513280552, 0, '-smhraQXnVRpCQnA2hR2Lw', 'not_answered');
INSERT INTO account_notices VALUES ('webhook', 'msg_06h0eaecaha365dnsw5mqka198', 'account.created', 'acc_06h0eaecakt04kb60tqegra8k0', 1, 1795416509524366, 'idn_06h0eaecag3wprx6w1rw5kfq1c', NULL, 'waiting', 1, 1795416509524366, 1795416513741370, 0, '-smhraQXnVRpCQnA2hR2Lw', 'not_answered');
INSERT INTO account_notices VALUES ('webhook', 'msg_06h0eaecqm71gdws25z3mxzfcg', 'account.created', 'acc_06h0eaecqqcr13dk30fcwskdjm', 1, 1795416509629711, 'idn_06h0eaecqmp26ephamf5bb3xbw', NULL, 'waiting', 1, 1795416509629711, 1795416513470804, 0, '-smhraQXnVRpCQnA2hR2Lw', 'not_answered');
INSERT INTO account_notices VALUES ('webhook', 'msg_06h0eaed244r4zbgpkzdy2r5nw', 'account.created', 'acc_06h0eaed2799mq2s0npt0f0ywr', 1, 1795416509713592, 'idn_06h0eaed26k186m4s11yqg3g88', NULL, 'waiting', 1, 1795416509713592, 1795416514326225, 0, '-smhraQXnVRpCQnA2hR2Lw', 'not_answered');
INSERT INTO accounts VALUES ('acc_06h0eaebewzaj7j8bjtf3qvhm4', 2, 'Ada', 'Lovelace', NULL, NULL, NULL, NULL, 1795416509303689, NULL);
INSERT INTO accounts VALUES ('acc_06h0eaecakt04kb60tqegra8k0', 1, 'Grace', 'Lovelace', NULL, NULL, NULL, NULL, 1795416509524366, NULL);
INSERT INTO accounts VALUES ('acc_06h0eaed2799mq2s0npt0f0ywr', 2, NULL, NULL, NULL, NULL, NULL, NULL, 1795416509713592, NULL);
INSERT INTO accounts VALUES ('acc_06h0eaeda4jvwnp102pgz14n00', 1, NULL, NULL, NULL, NULL, NULL, NULL, 1795416509777878, NULL);
INSERT INTO accounts VALUES ('acc_06h0eaedpz6k855pah3ryz0f1g', 3, NULL, NULL, NULL, NULL, NULL, NULL, 1795416509879095, 1795416510124456);
INSERT INTO apple_key_set VALUES (1, '\x7b226b657973223a5b7b226b7479223a22525341222c226b6964223a22543039485a4b314d3257222c22757365223a22736967222c22616c67223a225253323536222c226e223a223754464d715356384a766c56715f4f7436557363754b44385249715456597255776743454a6d6375673149434e4c4a787a2d55446d5f61366e63746e543046726a675a31746638687875636a4831453035443178673457453368444f5a514b71537248363557655373776879726771584c66756248445853633675725159384b4a55733061495a4664557370506f706e5553507035356576622d665470485572526a345f513464616a516b5a7247705f585a585a336a687a50384570534a3278784e3133704e4a3962617550735264635666544b486136614467594968742d473977746f4a4f6e5a344e6f56633759414c576a456f734145524a3158483238492d54354c714c554666446977476f376774456d56496e4376624f4e634c762d4736786b6b6a75383652315f4d434b714938647852524e4e5832786f527776665a724e5f62574e6a416d7141796d374d63364a64626651222c2265223a2241514142227d2c7b226b7479223a22525341222c226b6964223a2252384d4330414150444d222c22757365223a22736967222c22616c67223a225253323536222c226e223a22736d504a7a4d515470446c5644435f726a6557776356795a56394267416c387673443344527146374935724e4b6a70587a5634755575346475556d4d66735355524a6c6e71594f7756674e6f424a61697959726f55755f524b6956734c712d4a4c536b33374a342d595a616c33773756553863725778324c3948544650684344654d6a30594b414b6c35343039386a47513435646d42624b476b694c4f5f71446b4d34726242643768354149796a77497572686f696435672d326159356d5a696c76636d4e346c716b4b69615362552d44716d7070356b5a4b674b5778344f386c3261354a7833592d4554715966396b2d684b726467597952426a6d726942654c4a774d465a334d75625556354c6a70306e714a5039586639326e497777305a714d51567254714f3343746f314746674e4b74454343415970627731614e4767343366745574376939706a737247344c766d65317051222c2265223a2241514142227d2c7b226b7479223a22525341222c226b6964223a2232424d57433350454a47222c22757365223a22736967222c22616c67223a225253323536222c226e223a2275424b562d586866765676715470353650536437474736723837466b7651525157386e72446a332d7155587745636d52447a475077504e734a5f386d474863364350504b366f75334676757854585348616b47376e626665546a37657172543546504f444f6c5a73563377374b7771465130453047656c327441334b485f7838655369654d4a652d64383671745a5f43387a554a7030444937334d4d747237532d3230577a4f4e6777427343495131364c2d313036625052616457763854315152425a647244504565786731467077636962773745565879706549644f7974564b41555162743434445a774c6c545867364f66522d576732555042736542786551627536664d49514b464f4e4b30307a4e435f3579456e4c425a54797a34675136475f69577966776d6f5232346b69354b2d65344e715f2d526232456a632d643444663779554764314a452d482d4d2d5f56686c5a51222c2265223a2241514142227d5d7d', 1795416509288149);
INSERT INTO apple_tokens VALUES ('atk_06h0eaec4rfx6hxdvgy6ev6xzc', 'idn_06h0eaebezdrcw56n9xpzc6kh0', 'com.example.juice', '\x01047465737457d8bf501bf986a9458a62d314d7dd341acffb5fc30f3f010ebc310355818895eee311bdbba58cefc255d8df335a985e7ef763804cd65c7edd3e807f2f1c9de9e079b96ed492935284462aeedac86570f3335edd7523b810f37d02', 1795416509478399, 1795502909478399, NULL, NULL, NULL);
INSERT INTO apple_tokens VALUES ('atk_06h0eaecdw6bnpe5xe0gwxweyc', 'idn_06h0eaecag3wprx6w1rw5kfq1c', 'com.example.juice.web', '\x01047465737404db04b2d64b899653ec5ffdbafe49b6dbfa0b005065d76776b66ab6a513e0dc54a7bf83bd3c518a88750978b4facacd01e57128ec976f92886d4fe15ec8a60870e64943871e0c6cfe6445b5ec2b4de174f09177e1314714babcb4', 1795416509551391, 1795502909551391, NULL, NULL, NULL);
INSERT INTO apple_tokens VALUES ('atk_06h0eaedczrznj0k0thh58551r', 'idn_06h0eaeda6v9a99w7snjzbk5sg', 'com.example.juice', '\x010474657374b4b75f769814e05ed5392b40bd221eb53d27562f36802cc5a7cf667d1df3ab12662ed773dd61fa834082768a535de45e56c05edccf08753e5b10cd38e6a62fc5f835c3ca844a40f3ee4b86b80604664f531fa7fe8f20e5298f9710', 1795416509799136, 1795502909799136, NULL, NULL, NULL);
INSERT INTO apple_tokens VALUES ('atk_06h0eaedr2wv7ntwm9y1010n4c', 'idn_06h0eaedpxcg6rddnkb1d42380', 'com.example.juice', '\x010474657374992e006daa235730cec15a93297b4f29ed0d6cdf44518677ec58ea98b4cdb4735c20834769701f41d843a248ce4c41bbd80ef3d9fa6b00aba0d647a8ed3d98dc526a681ff7d391cb35e64db08f50ae47672a5eb728aa557e4c1cd4', 1795416509888054, 1795502909888054, NULL, NULL, NULL);
INSERT INTO attempts VALUES ('\xf1a82f5fd142bcdc37eefa6ab52cfbe13737d049a1dab1443c6d59979f8c8c98', '\x8c2e340852e7581a0a623f729d2e302aba2fe577bffbfacdcee330458837dcfd', 'sign_in', NULL, 'com.example.juice.web', '6a8147zwmsxjjzOWbK9fvFvZ243_fsZBD5y-yxpYQP0', '/account', 1795416509938885, 1795417109938885, NULL, false);
INSERT INTO audit VALUES ('aud_06h0eaebext7hg2rj29tvmwe18', 1795416509303689, 'signed_in', 'account', 'acc_06h0eaebewzaj7j8bjtf3qvhm4', 'ses_06h0eaebeznk3wven7j744tq5m', 'ses_06h0eaebeznk3wven7j744tq5m', 'new_account', '127.0.0.1', 'Ada''s phone');
INSERT INTO audit VALUES ('aud_06h0eaec24crwce8fa4tvb7ssm', 1795416509457197, 'signed_in', 'account', 'acc_06h0eaebewzaj7j8bjtf3qvhm4', 'ses_06h0eaec27ptnaavacq60nz100', 'ses_06h0eaec27ptnaavacq60nz100', NULL, '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0eaecakex4sdsgrd52brmj0', 1795416509524366, 'signed_in', 'account', 'acc_06h0eaecakt04kb60tqegra8k0', 'ses_06h0eaecaj1w0nbfb40kc795p4', 'ses_06h0eaecaj1w0nbfb40kc795p4', 'new_account', '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0eaecqqpjm3xznpswdqqp4r', 1795416509629711, 'signed_in', 'account', 'acc_06h0eaecqqcr13dk30fcwskdjm', 'ses_06h0eaecqq4gcgbrf2a6fsch8c', 'ses_06h0eaecqq4gcgbrf2a6fsch8c', 'new_account', NULL, NULL);
INSERT INTO audit VALUES ('aud_06h0eaecw7jfanwbjfcnzen7rg', 1795416509665948, 'account_deleted', 'account', 'acc_06h0eaecqqcr13dk30fcwskdjm', 'ses_06h0eaecqq4gcgbrf2a6fsch8c', NULL, NULL, NULL, NULL);
INSERT INTO audit VALUES ('aud_06h0eaed267rxzv0vhq03sjfhm', 1795416509713592, 'signed_in', 'account', 'acc_06h0eaed2799mq2s0npt0f0ywr', 'ses_06h0eaed25aqzsbwqgyf6yskh4', 'ses_06h0eaed25aqzsbwqgyf6yskh4', 'new_account', '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0eaed5c4sbm7y1kkt832pnm', 1795416509739611, 'apple_revocation_ordered', 'account', 'acc_06h0eaed2799mq2s0npt0f0ywr', 'ses_06h0eaed25aqzsbwqgyf6yskh4', 'idn_06h0eaed26k186m4s11yqg3g88', NULL, '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0eaeda5q7b6hg50tmk2mb4m', 1795416509777878, 'signed_in', 'account', 'acc_06h0eaeda4jvwnp102pgz14n00', 'ses_06h0eaeda7q3kmxnb3g20585e0', 'ses_06h0eaeda7q3kmxnb3g20585e0', 'new_account', '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0eaedpwxb1fmkbrrt2ce428', 1795416509879095, 'signed_in', 'account', 'acc_06h0eaedpz6k855pah3ryz0f1g', 'ses_06h0eaedpwh659h03h1xvddhbw', 'ses_06h0eaedpwh659h03h1xvddhbw', 'new_account', '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0eaeenk5k91b7fjz4z1t7ag', 1795416510124456, 'account_disabled', 'operator', 'acc_06h0eaedpz6k855pah3ryz0f1g', NULL, NULL, NULL, NULL, NULL);
INSERT INTO audit VALUES ('aud_06h0eaeenj5r4q9wrsvrcsbmwc', 1795416510124456, 'session_ended', 'operator', 'acc_06h0eaedpz6k855pah3ryz0f1g', NULL, 'ses_06h0eaedpwh659h03h1xvddhbw', 'account_disabled', NULL, NULL);
INSERT INTO authorizations VALUES ('aut_096xv4t1jmhn6qe3w8fqr8mty8', 'juice', NULL, '\xa4a107e16060f98336ad367fbbc866e2e4fe9c619b95228d0b54cc95b4118696', '\x92526d9adc590ca0f4570831f53e1cbbea5f0733d6ce193d3c6a425f516611f7', 5000000, NULL, '\xc22e0297a09d66289acfdfdc3d96b7f41360be49fc33b49f7b2db48135d6be77', 'com.example.juice.web', 'name email', NULL, '\x0104746573745012f81338e3e42cb12d6ea377cc3518ebb331794e3492eb9808320a2c57d4d0d41d37a56cfa', '127.0.0.1', '127.0.0.1', 1795416509945831, 1795417109945831, 1795417709945831, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO belongs_to VALUES (1, 'http://127.0.0.1:4010', 0);
INSERT INTO deletions VALUES ('\xd5e6fc58a3b1ff260dd8be008083490ca1e1bb8a7795cb97cb88675e38f35cd6', 3, 1795416509665948, 1795416509712246, false, true);
INSERT INTO hooks VALUES ('webhook', 1795416509142460);
INSERT INTO identities VALUES ('idn_06h0eaebezdrcw56n9xpzc6kh0', 'acc_06h0eaebewzaj7j8bjtf3qvhm4', 'apple', 'JUICETEAM1', '000695.49fd1606f69b60759505f4768e17d6c3.2009', NULL, false, false, 2, 1795416509303689, 1795416509457197, NULL, NULL, NULL, 1795416509000000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO identities VALUES ('idn_06h0eaecag3wprx6w1rw5kfq1c', 'acc_06h0eaecakt04kb60tqegra8k0', 'apple', 'JUICETEAM1', '001041.2fc6d3c2c9a501f7b2adfa036889a604.4336', '48a3127177de8f98@example.com', true, false, NULL, 1795416509524366, 1795416509524366, NULL, NULL, NULL, 1795416509000000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO identities VALUES ('idn_06h0eaed26k186m4s11yqg3g88', 'acc_06h0eaed2799mq2s0npt0f0ywr', 'apple', 'JUICETEAM1', '001884.34cef695a7f3c8d3e60f818bdb4004af.2464', NULL, false, false, 2, 1795416509713592, 1795416509713592, NULL, NULL, NULL, 1795416509000000, NULL, NULL, 1795416509739611, NULL, 1795416509739611);
INSERT INTO identities VALUES ('idn_06h0eaeda6v9a99w7snjzbk5sg', 'acc_06h0eaeda4jvwnp102pgz14n00', 'apple', 'JUICETEAM1', '000500.4b4eb7f82a577c720d808351e8ce2953.3364', NULL, false, false, 2, 1795416509777878, 1795416509777878, NULL, NULL, NULL, 1795416509000000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO identities VALUES ('idn_06h0eaedpxcg6rddnkb1d42380', 'acc_06h0eaedpz6k855pah3ryz0f1g', 'apple', 'JUICETEAM1', '001917.97074b8290204735d6baa6ea549d032a.4935', NULL, false, false, 2, 1795416509879095, 1795416509879095, NULL, NULL, NULL, 1795416509000000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO kept_names VALUES ('JUICETEAM1', '000568.e585702dd88d0250c6b8c62d5ca4db15.5831', '\x01047465737487536d7b5db09b5d1bc9a270356bffea73b887d642e5823909fb1931726a1205eb1fd2b029e84c0b6afa002ebcc5d8587c103e2df061825895c9dae12a5d196bb2f1dc80109b8530f379af4128889a10ed08311148de923c0f42a4bf229f6bd688a2fb19bcc857388073f6b5eae1d80bca98e051cfe9680f79984120b3f0663b4afd39a9e5c6ee5473d1461b360cbf01b42a7b61cad1f86842a9a3ea64dddf653c853b18', 1798008509931490);
INSERT INTO migrations VALUES ('belongs to');
INSERT INTO migrations VALUES ('accounts');
INSERT INTO migrations VALUES ('sessions');
INSERT INTO migrations VALUES ('sign-in');
INSERT INTO migrations VALUES ('keys');
INSERT INTO migrations VALUES ('authorizations');
INSERT INTO migrations VALUES ('audit');
INSERT INTO migrations VALUES ('events');
INSERT INTO migrations VALUES ('apple access');
INSERT INTO migrations VALUES ('apple notifications');
INSERT INTO migrations VALUES ('daily check');
INSERT INTO migrations VALUES ('outbox');
INSERT INTO migrations VALUES ('session names');
INSERT INTO migrations VALUES ('key rotation');
INSERT INTO migrations VALUES ('disabled accounts');
INSERT INTO migrations VALUES ('notifications by subject');
INSERT INTO migrations VALUES ('deletion');
INSERT INTO migrations VALUES ('outbox orders');
INSERT INTO migrations VALUES ('purge indexes');
INSERT INTO migrations VALUES ('account notices');
INSERT INTO migrations VALUES ('revocation orders');
INSERT INTO migrations VALUES ('walked tables');
INSERT INTO migrations VALUES ('signed refresh tokens');
INSERT INTO migrations VALUES ('refresh attempts');
INSERT INTO migrations VALUES ('keyed user codes');
INSERT INTO migrations VALUES ('event times');
INSERT INTO migrations VALUES ('identity emails');
INSERT INTO outbox VALUES ('atk_06h0eaect4bg197db2cz2826yw', 'revocation', 'done', 'com.example.juice', NULL, '\x7467c25312d4ba62ec11f5e7ed741d8f23a5d943170d058f8a34e9540525968f', NULL, '\xd5e6fc58a3b1ff260dd8be008083490ca1e1bb8a7795cb97cb88675e38f35cd6', 1, 1795416509665948, 1795416509665948, 1795416509665948, 0, '8AenwKuwuryakOCYT6E4TA', NULL, 1795416509712246, NULL, 1795416509686982);
INSERT INTO outbox VALUES ('atk_06h0eaed3hmvjv2jf40y3nnwjg', 'revocation', 'done', 'com.example.juice', NULL, '\x8db360509072c4cf64ee8f92fabef5be2a002baa5b2e8db612aa1221d5dca9f0', 'idn_06h0eaed26k186m4s11yqg3g88', NULL, 1, 1795416509739611, 1795416509739611, 1795416509739611, 0, 'NNc5pmp6rh34BqiCW4kxjQ', NULL, 1795416509781310, NULL, 1795416509758056);
INSERT INTO server_keys VALUES ('key_06h0eaeandnmytd1ksm5gbaf5c', 'access_tokens', 'active', '\x0104746573745398fe24bf1a2f06a35fcdc1aeb4949099041a9c8528c6cef5c1da580b2e180286d0548986465df29a7f30118af3805fbe37efcd5840dc532c6c966e', 1795416509099321, NULL);
INSERT INTO server_keys VALUES ('key_06h0eaeanehenswsf5bwvqzafc', 'access_tokens', 'next', '\x010474657374c3e994a354c9817f0bccd0815a09f9ca6762f68ed49893c22d29174964644372bb98c60977a899f15adbaa4380385a2d1372ce560867d35bef612807', 1795416509099321, NULL);
INSERT INTO server_keys VALUES ('key_06h0eaeandagn7jc61fc1gxqpm', 'refresh_tokens', 'active', '\x01047465737499b4fd75b752a2c5c9d1b8092b31bb9be7d40f98999afaeb8343a95cfc3c755d1864a5ecbe375b5434157b815acc7215e8d7de3b26ea1f3fddde92c0', 1795416509099321, NULL);
INSERT INTO sessions VALUES ('ses_06h0eaebeznk3wven7j744tq5m', 'acc_06h0eaebewzaj7j8bjtf3qvhm4', 'idn_06h0eaebezdrcw56n9xpzc6kh0', 'tokens', 'com.example.juice', '\xab1e30a64bd5d697799009c9e04e3fa264a11c4f96699f8932dd7aa6517058f7', NULL, '\xcc2200071d1b4de4198ca6ba8236cb5e684b5171435a67d24e6b494646ed0a0b', 1795416509431838, 3, 1795416509303689, 1795416509303689, 1795416509431838, 1798008509431838, NULL, NULL, false, 'Ada''s phone', true, '\x6f16736937e873dca75353c27b0dece4e7e130cb22af084e45ca233cd382e386', 3);
INSERT INTO sessions VALUES ('ses_06h0eaec27ptnaavacq60nz100', 'acc_06h0eaebewzaj7j8bjtf3qvhm4', 'idn_06h0eaebezdrcw56n9xpzc6kh0', 'tokens', 'com.example.juice', '\xc7c1327bcbf8d30e99384e3f84f7c407da7a40f9518ab3dcd1e764047712b445', NULL, NULL, NULL, 0, 1795416509457197, 1795416509457197, 1795416509457197, 1798008509457197, NULL, NULL, false, NULL, true, NULL, 0);
INSERT INTO sessions VALUES ('ses_06h0eaecaj1w0nbfb40kc795p4', 'acc_06h0eaecakt04kb60tqegra8k0', 'idn_06h0eaecag3wprx6w1rw5kfq1c', 'browser', 'com.example.juice.web', '\x30db886103c07060e018550a67e955fe443371c3ab59ae3a4855306f66b20ce5', '\x750af410c6643c6f763878d6c19a674a231acd539465b77558f8401599d12c28', NULL, NULL, 0, 1795416509524366, 1795416509524366, 1795416509524366, 1798008509524366, NULL, NULL, false, NULL, false, NULL, 0);
INSERT INTO sessions VALUES ('ses_06h0eaed25aqzsbwqgyf6yskh4', 'acc_06h0eaed2799mq2s0npt0f0ywr', 'idn_06h0eaed26k186m4s11yqg3g88', 'tokens', 'com.example.juice', '\xef8022b4d88e17d3ad432efc1ba03f04498bb86aebbfb46a79064640c55d238f', NULL, NULL, NULL, 0, 1795416509713592, 1795416509713592, 1795416509713592, 1798008509713592, NULL, NULL, false, NULL, true, NULL, 0);
INSERT INTO sessions VALUES ('ses_06h0eaeda7q3kmxnb3g20585e0', 'acc_06h0eaeda4jvwnp102pgz14n00', 'idn_06h0eaeda6v9a99w7snjzbk5sg', 'tokens', 'com.example.juice', '\x1e5bc7163275cca4422bbaec9efa28b8d7245e4b5db90d1b668ff608e1f86b33', NULL, '\x7bb1a7df2f6be644989dbdd8c1a96430a7004dac555afa9b27b33c5064bbf0f9', 1795416509843618, 1, 1795416509777878, 1795416509777878, 1795416509843618, 1798008509843618, NULL, NULL, false, NULL, true, '\xd7329db5ae6b558ce56a8057b5a411ad50fbba2976dbd71fed035a152e8c1e6c', 0);
INSERT INTO sessions VALUES ('ses_06h0eaedpwh659h03h1xvddhbw', 'acc_06h0eaedpz6k855pah3ryz0f1g', 'idn_06h0eaedpxcg6rddnkb1d42380', 'tokens', 'com.example.juice', '\xfcc57825609a94d84f94c080a8033f85769e1d55e1f77ff01ff0d48342ad7986', NULL, NULL, NULL, 0, 1795416509879095, 1795416509879095, 1795416509879095, 1798008509879095, 1795416510124456, 'account_disabled', false, NULL, true, NULL, 0);
INSERT INTO spent VALUES ('identity_token', '\x6298d4b83721dd3d7e4a2d0968301ec253be5a60c0f0ceb078e6945d0ecfebc3', 1795417169303689);
INSERT INTO spent VALUES ('nonce', '\x93683366261a69b0912cc08974b3535e201a5b17ba971dcb56526aab0fd8dd1e', 1795417169303645);
INSERT INTO spent VALUES ('code', '\x1667a8aac961e749c119e4d1aead0c5b28fcf5017623818deede2bbde457350d', 1795417169303689);
INSERT INTO spent VALUES ('identity_token', '\xcb802592c58dcc3a9403cc5550fb4d35a5702d94f0ec2728caaf05f403d604d5', 1795417169457197);
INSERT INTO spent VALUES ('nonce', '\xada7673b19c14e908761b1b65ba9ec74b7398075ce3d4daa9dedc5702afd115f', 1795417169457185);
INSERT INTO spent VALUES ('code', '\x32dd5837825a582b508273fa15b51c64bb1d6e4d3568af2eb31c69eed82aa79b', 1795417169457197);
INSERT INTO spent VALUES ('identity_token', '\xe1f0cc7d96b147f7877ab73240cd65d322b46e755cdb4b43ec5408f1337afea4', 1795417169524366);
INSERT INTO spent VALUES ('code', '\xfa1879deb8473d17838e65e73f7c29918e6199e1d71248dc1a07e00df244f9bb', 1795417169524366);
INSERT INTO spent VALUES ('identity_token', '\x3c0304df927b69e88a405dce0928a59da65b5e7eaab629b7dc7661d3ddfb1129', 1795417169629711);
INSERT INTO spent VALUES ('nonce', '\x353bfb01630eda61aa48c76d999616b8b96c857b1eb8376cf46b2ec0b84a3a27', 1795417169629696);
INSERT INTO spent VALUES ('code', '\x65d2578ef4449fc1eac859b70c3f7d412472daa45aeed41b77bee5030a73e642', 1795417169629711);
INSERT INTO spent VALUES ('identity_token', '\x49afa559cc562cce6c54cd0b98ee4bde3c65ddc3daa4e9a094a0290a2b70bc12', 1795417169713592);
INSERT INTO spent VALUES ('nonce', '\x74473070b4fdff997b3a2e21ff8707c550708db036eba0972f74776f786fefb0', 1795417169713569);
INSERT INTO spent VALUES ('code', '\x91b3447c6c03515bc81152c035844e32ab8706d5891b39855bb99937c5aa46d6', 1795417169713592);
INSERT INTO spent VALUES ('identity_token', '\xf895dc6c461d5941fe8ccad1a39fa08200a1cf0fc7f9fcc30f698a4d6e0f013a', 1795417169777878);
INSERT INTO spent VALUES ('nonce', '\xae9294b1e5ca539bb32b952cb37766ca227e55d6eb27ae51706c04537793ede2', 1795417169777866);
INSERT INTO spent VALUES ('code', '\x11e3f8f68f9bb852b63fa5869e584747b8d525701f6f0dfd4bcc9bc2dd5163ac', 1795417169777878);
INSERT INTO spent VALUES ('identity_token', '\x1cce2e29dd35cb02d5a16fabf6ba009a06d93229da8ab2119e0609553890eab3', 1795417169879095);
INSERT INTO spent VALUES ('nonce', '\x714975def5c90fcac53ba378c918960f9bf6672bc28f82d1e4e3969cd2c4178c', 1795417169879084);
INSERT INTO spent VALUES ('code', '\x81e51b0365fb951e41bf7bc9754d6170563561d91d04164169245bb85b945a0e', 1795417169879095);
INSERT INTO spent VALUES ('identity_token', '\x116ca8e70f647741c68d9b7191e2d33bff6083d0bd78148f5acafff7cb986676', 1795417169931490);
ALTER TABLE ONLY account_events
    ADD CONSTRAINT account_events_pkey PRIMARY KEY (account_id, revision);
ALTER TABLE ONLY account_notices
    ADD CONSTRAINT account_notices_pkey PRIMARY KEY (hook, id);
ALTER TABLE ONLY accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY apple_key_set
    ADD CONSTRAINT apple_key_set_pkey PRIMARY KEY (singleton);
ALTER TABLE ONLY apple_notifications
    ADD CONSTRAINT apple_notifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY apple_tokens
    ADD CONSTRAINT apple_tokens_identity_id_client_id_key UNIQUE (identity_id, client_id);
ALTER TABLE ONLY apple_tokens
    ADD CONSTRAINT apple_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (state_hash);
ALTER TABLE ONLY audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_code_hash_key UNIQUE (code_hash);
ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_device_code_hash_key UNIQUE (device_code_hash);
ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_handle_hash_key UNIQUE (handle_hash);
ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_user_code_hash_key UNIQUE (user_code_hash);
ALTER TABLE ONLY belongs_to
    ADD CONSTRAINT belongs_to_pkey PRIMARY KEY (singleton);
ALTER TABLE ONLY deletions
    ADD CONSTRAINT deletions_pkey PRIMARY KEY (handle_hash);
ALTER TABLE ONLY hooks
    ADD CONSTRAINT hooks_pkey PRIMARY KEY (name);
ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_provider_team_subject_key UNIQUE (provider, team, subject);
ALTER TABLE ONLY kept_names
    ADD CONSTRAINT kept_names_pkey PRIMARY KEY (team, subject);
ALTER TABLE ONLY migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY server_keys
    ADD CONSTRAINT server_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY spent
    ADD CONSTRAINT spent_pkey PRIMARY KEY (kind, hash);
ALTER TABLE ONLY stopped_checks
    ADD CONSTRAINT stopped_checks_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY wrong_codes
    ADD CONSTRAINT wrong_codes_pkey PRIMARY KEY (kind, network, window_start);
CREATE INDEX account_notices_due ON account_notices USING btree (hook, next_attempt_at) WHERE (state = 'waiting'::text);
CREATE INDEX account_notices_of_account ON account_notices USING btree (hook, account_id, sequence) WHERE (state = 'waiting'::text);
CREATE INDEX account_notices_parked ON account_notices USING btree (happened_at) WHERE (state = 'parked'::text);
CREATE INDEX apple_notifications_by_expiry ON apple_notifications USING btree (expires_at);
CREATE INDEX apple_notifications_by_receipt ON apple_notifications USING btree (received_at);
CREATE INDEX apple_notifications_by_subject ON apple_notifications USING btree (subject, team);
CREATE INDEX apple_notifications_of_account ON apple_notifications USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX apple_tokens_by_check ON apple_tokens USING btree (client_id, next_check_at);
CREATE INDEX apple_tokens_by_death ON apple_tokens USING btree (found_dead_at) WHERE (found_dead_at IS NOT NULL);
CREATE INDEX apple_tokens_by_last_check ON apple_tokens USING btree (client_id, last_checked_at);
CREATE INDEX attempts_by_expiry ON attempts USING btree (expires_at);
CREATE INDEX audit_of_account ON audit USING btree (account_id, id);
CREATE INDEX authorizations_by_end ON authorizations USING btree (kept_until);
CREATE INDEX authorizations_of_network ON authorizations USING btree (network, expires_at) WHERE (sealed_result IS NULL);
CREATE INDEX deletions_by_end ON deletions USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX identities_by_email ON identities USING btree (email) WHERE (email IS NOT NULL);
CREATE INDEX identities_of_account ON identities USING btree (account_id);
CREATE INDEX kept_names_by_expiry ON kept_names USING btree (expires_at);
CREATE INDEX outbox_by_end ON outbox USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX outbox_codes_due ON outbox USING btree (next_attempt_at) WHERE ((state = 'waiting'::text) AND (kind = 'code'::text));
CREATE INDEX outbox_due ON outbox USING btree (next_attempt_at) WHERE (state = 'waiting'::text);
CREATE INDEX outbox_of_deletion ON outbox USING btree (deletion_hash) WHERE (deletion_hash IS NOT NULL);
CREATE INDEX outbox_of_identity ON outbox USING btree (identity_id) WHERE (finished_at IS NULL);
CREATE INDEX outbox_of_person ON outbox USING btree (person_hash) WHERE (person_hash IS NOT NULL);
CREATE INDEX outbox_parked ON outbox USING btree (created_at) WHERE (state = 'parked'::text);
CREATE UNIQUE INDEX server_keys_in_use ON server_keys USING btree (purpose, state) WHERE (state <> 'retired'::text);
CREATE INDEX sessions_by_end ON sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX sessions_of_account ON sessions USING btree (account_id);
CREATE INDEX sessions_of_browser ON sessions USING btree (browser_hash) WHERE ((browser_hash IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX sessions_of_identity ON sessions USING btree (identity_id);
CREATE INDEX wrong_codes_by_expiry ON wrong_codes USING btree (expires_at);
ALTER TABLE ONLY apple_tokens
    ADD CONSTRAINT apple_tokens_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES identities(id);
ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES identities(id);
