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
INSERT INTO account_events VALUES ('acc_06h0cdhbz5vx5d3jhq85d16bmc', 1, 'signed_in', 1795400543225536, 'ses_06h0cdhbz592tkwfgkg6thm010', NULL, 1797992543225536);
INSERT INTO account_events VALUES ('acc_06h0cdhbz5vx5d3jhq85d16bmc', 2, 'signed_in', 1795400543285493, 'ses_06h0cdhc6mp6dhkcf12hvacz0r', NULL, 1797992543285493);
INSERT INTO account_events VALUES ('acc_06h0cdhcdh3j5axcd8x6r1j93c', 1, 'signed_in', 1795400543340472, 'ses_06h0cdhcdk81mf1g6jxeg4xk94', NULL, 1797992543340472);
INSERT INTO account_events VALUES ('acc_06h0cdhcm8k039p8syy93k9d9c', 1, 'signed_in', 1795400543394667, 'ses_06h0cdhcmb6h85b94da02z078g', NULL, 1797992543394667);
INSERT INTO account_events VALUES ('acc_06h0cdhcm8k039p8syy93k9d9c', 2, 'account_deleted', 1795400543414892, NULL, NULL, 1797992543414892);
INSERT INTO account_events VALUES ('acc_06h0cdhdaxpzg3g2bpw6qr9c3w', 1, 'signed_in', 1795400543575764, 'ses_06h0cdhdazprs2hjegnm546z0r', NULL, 1797992543575764);
INSERT INTO account_events VALUES ('acc_06h0cdhdaxpzg3g2bpw6qr9c3w', 2, 'apple_access_ended', 1795400543613954, 'idn_06h0cdhdawg9mb85pm3gn1dhbc', 'apple_consent_revoked', 1797992543613954);
INSERT INTO accounts VALUES ('acc_06h0cdhbz5vx5d3jhq85d16bmc', 2, 'Ada', 'Lovelace', NULL, NULL, NULL, NULL, 1795400543225536, NULL);
INSERT INTO accounts VALUES ('acc_06h0cdhcdh3j5axcd8x6r1j93c', 1, 'Ada', 'Lovelace', NULL, NULL, NULL, NULL, 1795400543340472, NULL);
INSERT INTO accounts VALUES ('acc_06h0cdhdaxpzg3g2bpw6qr9c3w', 2, NULL, NULL, NULL, NULL, NULL, NULL, 1795400543575764, NULL);
INSERT INTO apple_key_set VALUES (1, '\x7b226b657973223a5b7b226b7479223a22525341222c226b6964223a22304e5a46374339504257222c22757365223a22736967222c22616c67223a225253323536222c226e223a22774e72454266304e475564414730574f4875754150706a44344f6e68657a553573663569627056794366366e565866646f4f434b67766b4e37596e434b723137655632773465693243734c586366504554446e78435a34786174574f45524d6c53703952426133545a45353363715a3073444e566f66556f5952527231555256614c6374744f494a4b6150644930563139596a7162694d417a6c2d48546c68576f766e6667325a506e484274736a71694943685a39327a6f52676476595450677876514738636b644a6c39316e5a45676541756872746e2d775354385f43763075466a3952654e48467a642d644932373865466454476e69623439586e62416c676d3672635f727248356a56306e775369546e446c4e34532d3951386e61466b70646734596b6d69414b585f436658725576775249584450307056425550504236456b50347067702d39334a337161366d5763654751222c2265223a2241514142227d2c7b226b7479223a22525341222c226b6964223a2255303237415753335452222c22757365223a22736967222c22616c67223a225253323536222c226e223a22734f69366879426c2d37424d777371574f6f446549756d45493634506a7062686a74736c6f4744374b5f51324c4b5446714c4139594e745369696c55376731516e313031505f69726f594c57334a6f694c494c6a43785937414b695f38594b6d564164324c345950553864464c4b566864616f456a68723953656e327576316c327979506a774a502d6a5979654f6f677158587a6a6f326c726c76576e6561346c43775a3952374463527a57476c756c307067384a74726c42544f594d6a3476463941306856723842763232564633545563727537466773454f7a7a4f6f73776a54505038477a74495257584f363266755a7178583538527a644f7376554364724a7a436f4643505868354a4a424d4b55323430645244774a6d5934426f4f543151544155776854306d73644d63725a364f746355504949795a5768565a6b4a624a526f70687a6b7239426931646663313544443977222c2265223a2241514142227d5d7d', 1795400543210188);
INSERT INTO apple_notifications VALUES ('pNlqRqscyttf0t77PAZxHQ', 'consent-revoked', 'consent_revoked', 'JUICETEAM1', 'com.example.juice', '000640.b36ce8186a3dd4f042d5afd0a8c8c203.8546', 1795400543603000, 1795400543613954, 'applied', 'acc_06h0cdhdaxpzg3g2bpw6qr9c3w', 1797992543613954);
INSERT INTO apple_tokens VALUES ('atk_06h0cdhc80bhf8rw7eyjstyn84', 'idn_06h0cdhbz4kfw8sppayv3na87g', 'com.example.juice', '\x010474657374dce67594570e39cd7d447ed15ab8d83c37d4dea8088d624fed2bf97ca285aa39531ae9fe091291e7091ee19cc185e13a79c5976ab3959a67e1a737e2cecc86419ba2010e957918bbcb2600f3f0156667f4398c132d7ef33955c416', 1795400543296202, 1795486943296202, NULL, NULL, NULL);
INSERT INTO apple_tokens VALUES ('atk_06h0cdhcfa848tm0yz4w3m76er', 'idn_06h0cdhcdj2h4b0e7nvp8qdav0', 'com.example.juice.web', '\x0104746573747eaa5bf77a67cf5f8b88251c84a3aed3ced629cec6db60c3a96eaf8fcb64882222a26cf7de0d9eb86a131da22c8097ed85862c06523b16564e2ed7f44200983e8a665c6525f4ff82dbd14ca852cb77a860cb8b40069a8f8d3b3a2f', 1795400543354338, 1795486943354338, NULL, NULL, NULL);
INSERT INTO attempts VALUES ('\x42a92f4d83629a67c152bc83148e454278cbd0780b30289a15dafc8c2bf9118e', '\xa9a713bbd056236d586cfc35c61b781e4c6f50624575fc533a2fb5596d297f4c', 'sign_in', NULL, 'com.example.juice.web', '0PBNGbU2BXj2O424ShkUBqHZ8-h-kvEqxV68Oh4q7iQ', '/account', 1795400543674018, 1795401143674018, NULL, false);
INSERT INTO audit VALUES ('aud_06h0cdhbz7zyt2ybc102ytxqe0', 1795400543225536, 'signed_in', 'account', 'acc_06h0cdhbz5vx5d3jhq85d16bmc', 'ses_06h0cdhbz592tkwfgkg6thm010', 'ses_06h0cdhbz592tkwfgkg6thm010', 'new_account', '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0cdhc6nsvee9fycyry4dazw', 1795400543285493, 'signed_in', 'account', 'acc_06h0cdhbz5vx5d3jhq85d16bmc', 'ses_06h0cdhc6mp6dhkcf12hvacz0r', 'ses_06h0cdhc6mp6dhkcf12hvacz0r', NULL, '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0cdhcdjszvsddv3anh41deg', 1795400543340472, 'signed_in', 'account', 'acc_06h0cdhcdh3j5axcd8x6r1j93c', 'ses_06h0cdhcdk81mf1g6jxeg4xk94', 'ses_06h0cdhcdk81mf1g6jxeg4xk94', 'new_account', '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0cdhcm9n4f93frhyez9dfrg', 1795400543394667, 'signed_in', 'account', 'acc_06h0cdhcm8k039p8syy93k9d9c', 'ses_06h0cdhcmb6h85b94da02z078g', 'ses_06h0cdhcmb6h85b94da02z078g', 'new_account', NULL, NULL);
INSERT INTO audit VALUES ('aud_06h0cdhcptw2rkn2nvfzwxqanr', 1795400543414892, 'account_deleted', 'account', 'acc_06h0cdhcm8k039p8syy93k9d9c', 'ses_06h0cdhcmb6h85b94da02z078g', NULL, NULL, NULL, NULL);
INSERT INTO audit VALUES ('aud_06h0cdhdaye2zpgkqxp100zr0r', 1795400543575764, 'signed_in', 'account', 'acc_06h0cdhdaxpzg3g2bpw6qr9c3w', 'ses_06h0cdhdazprs2hjegnm546z0r', 'ses_06h0cdhdazprs2hjegnm546z0r', 'new_account', '127.0.0.1', NULL);
INSERT INTO audit VALUES ('aud_06h0cdhdfp60m238vxaggh713r', 1795400543613954, 'session_ended', 'apple', 'acc_06h0cdhdaxpzg3g2bpw6qr9c3w', NULL, 'ses_06h0cdhdazprs2hjegnm546z0r', 'apple_consent_revoked', NULL, NULL);
INSERT INTO belongs_to VALUES (1, 'http://127.0.0.1:4010');
INSERT INTO deletions VALUES ('\xc7f05a8b0e316d8cdd35c6b7bae5b1371097765076481b9413ae72bcf79d12fb', 3, 1795400543414892, 1795400543448001, false, true);
INSERT INTO identities VALUES ('idn_06h0cdhbz4kfw8sppayv3na87g', 'acc_06h0cdhbz5vx5d3jhq85d16bmc', 'apple', 'JUICETEAM1', '001667.b55a31c8576b20655ff8dbb0fb2e0253.2877', NULL, false, false, 2, 1795400543225536, 1795400543285493, NULL, NULL, NULL, 1795400543000000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO identities VALUES ('idn_06h0cdhcdj2h4b0e7nvp8qdav0', 'acc_06h0cdhcdh3j5axcd8x6r1j93c', 'apple', 'JUICETEAM1', '000074.6119511948a94d5fd6f380d89b9dc838.3600', '3458a0b7c5935e44@example.com', true, false, NULL, 1795400543340472, 1795400543340472, NULL, NULL, NULL, 1795400543000000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO identities VALUES ('idn_06h0cdhdawg9mb85pm3gn1dhbc', 'acc_06h0cdhdaxpzg3g2bpw6qr9c3w', 'apple', 'JUICETEAM1', '000640.b36ce8186a3dd4f042d5afd0a8c8c203.8546', NULL, false, false, 2, 1795400543575764, 1795400543575764, NULL, NULL, NULL, 1795400543000000, 1795400543603000, 'apple_consent_revoked', NULL, NULL, NULL);
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
INSERT INTO outbox VALUES ('atk_06h0cdhcnpbfay07819x6tqe7c', 'revocation', 'done', 'com.example.juice', NULL, '\xf7ff38ea3ead315c2b4d2f798b24369e2b8ae998268fc0a8ca4f8eb2becd6bb9', NULL, '\xc7f05a8b0e316d8cdd35c6b7bae5b1371097765076481b9413ae72bcf79d12fb', 1, 1795400543414892, 1795400543414892, 1795400543414892, 0, 'xHIhMdwSaW_o2LQ03h_YBw', NULL, 1795400543448001, NULL, 1795400543431082);
INSERT INTO server_keys VALUES ('key_06h0cdhbc9x8y2s7cb67vptkcm', 'access_tokens', 'active', '\x01047465737405426245d261a80a66ca04b6d8cb3606a1f0b3dd890416d053cc898b9847dc466495de8102a9f7d7a628e882cb6fe6cea37592273b5a30499ae436c4', 1795400543074894, NULL);
INSERT INTO server_keys VALUES ('key_06h0cdhbcbc6k4tmkwhskkmkhw', 'access_tokens', 'next', '\x0104746573749f3d1eaf415bee3c85341514e270ce452490b6c720318c36b300be2d12858a7c8674308b92c6edb9d0af8cfd3e62153004bd6d54a07e7f01c36f51ef', 1795400543074894, NULL);
INSERT INTO server_keys VALUES ('key_06h0cdhbc9x1bse8x5y03jfevr', 'refresh_tokens', 'active', '\x010474657374236e60091966e9d94670776cf6406d62016f6fac4eceeb6091ac72d51d5df06945f772c2cb5baef1feb86c332cb8f1436ef61e0c0a3600ce27bd6208', 1795400543074894, NULL);
INSERT INTO sessions VALUES ('ses_06h0cdhbz592tkwfgkg6thm010', 'acc_06h0cdhbz5vx5d3jhq85d16bmc', 'idn_06h0cdhbz4kfw8sppayv3na87g', 'tokens', 'com.example.juice', '\xe949132a4ee491ca2d34f96348ae7e9aef7ea4c2b4963d75562e7d3d009cb33b', NULL, '\x4943bb7a3d5828e75c23027742093ee2ec0baecea475212196f369e1d46cfbb0', 1795400543270473, 3, 1795400543225536, 1795400543225536, 1795400543270473, 1797992543270473, NULL, NULL, false, NULL);
INSERT INTO sessions VALUES ('ses_06h0cdhc6mp6dhkcf12hvacz0r', 'acc_06h0cdhbz5vx5d3jhq85d16bmc', 'idn_06h0cdhbz4kfw8sppayv3na87g', 'tokens', 'com.example.juice', '\x93a958d7424c1e8c6f1e474f3e8adf77b95c390eb9e901ad903f06d862d1c134', NULL, NULL, NULL, 0, 1795400543285493, 1795400543285493, 1795400543285493, 1797992543285493, NULL, NULL, false, NULL);
INSERT INTO sessions VALUES ('ses_06h0cdhcdk81mf1g6jxeg4xk94', 'acc_06h0cdhcdh3j5axcd8x6r1j93c', 'idn_06h0cdhcdj2h4b0e7nvp8qdav0', 'browser', 'com.example.juice.web', '\x1c11752efb0c53410024ac780b3a6bf6bbfa38b60b87baeebc0c2e50972d825a', '\xc0e42f25889fb2d04569fdf9abf4294652cc8c4eb1ae890ec6dc762c25d66cd5', NULL, NULL, 0, 1795400543340472, 1795400543340472, 1795400543340472, 1797992543340472, NULL, NULL, false, NULL);
INSERT INTO sessions VALUES ('ses_06h0cdhdazprs2hjegnm546z0r', 'acc_06h0cdhdaxpzg3g2bpw6qr9c3w', 'idn_06h0cdhdawg9mb85pm3gn1dhbc', 'tokens', 'com.example.juice', '\xdaafe45d69bbef57befddba821715dd22d31135cf8837fcd669982a85eab6c0b', NULL, NULL, NULL, 0, 1795400543575764, 1795400543575764, 1795400543575764, 1797992543575764, 1795400543613954, 'apple_consent_revoked', false, NULL);
INSERT INTO spent VALUES ('identity_token', '\x48d6cd339a6c8f1e23bcd9b2956b0e7491af407f0a08ced270084a8d1dc99a4e', 1795401203225536);
INSERT INTO spent VALUES ('nonce', '\x24d9a2e043f266ac742edb1b7f23d7244285ddf6237773b69995ad5abd530d93', 1795401203225471);
INSERT INTO spent VALUES ('code', '\x26a2fc605edc654cb2a5f9439251011d8da711a54270632fc5097b85beb24957', 1795401203225536);
INSERT INTO spent VALUES ('identity_token', '\xd897a31c4a1d267619a50e1e2f2eb23d9713efddd6e015412e3aaf0d5e56db8f', 1795401203285493);
INSERT INTO spent VALUES ('nonce', '\xeafb618385cd0c7338a28bacf8ed8826a709d123a8df0b4509ee513ea3719cad', 1795401203285478);
INSERT INTO spent VALUES ('code', '\x1f8596a65888a07be2d70fb79cd8d86c153a500420656b16cb30cb416e4c5f44', 1795401203285493);
INSERT INTO spent VALUES ('identity_token', '\x4e087852b9130ab3a356cda0951fcd96558a78ab562ddcd78427da27b570981d', 1795401203340472);
INSERT INTO spent VALUES ('code', '\xb8b5883a6e5798d8bfa6701f169c96f11eb08c5022b0440b897d22b714128513', 1795401203340472);
INSERT INTO spent VALUES ('identity_token', '\xfc2d156a83a5c1b47197baeb4fca11f7592e9d21670bf022eaf15e8b19be9250', 1795401203394667);
INSERT INTO spent VALUES ('nonce', '\x62b5dc8a9e5671888fe81869689a8659139c041a2544fc5e56c7c134aeb42b46', 1795401203394651);
INSERT INTO spent VALUES ('code', '\xc1f0bed4f1e50cf873dad53748d0fce631abe60e5338ddc37f96461dbbcd57ad', 1795401203394667);
INSERT INTO spent VALUES ('identity_token', '\xaa0a812f2f19e90a82960d3ef6498999f6ccef19908864b53891de0465e0da76', 1795401203575764);
INSERT INTO spent VALUES ('nonce', '\x58e6b7832af31d343f39160e68954319ef48c77883c3fe63c974fdb396f1b579', 1795401203575748);
INSERT INTO spent VALUES ('code', '\x663041182465ea8bb69a260838ddd0d26a27609e85dd26c88181048c134df2bd', 1795401203575764);
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
