CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE bank (
  bank_id    text PRIMARY KEY,
  name       text,
  config     jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- No foreign key to bank: event numbers and cursors outlive a deleted bank.
CREATE TABLE bank_clock (
  bank_id              text PRIMARY KEY,
  seq                  bigint NOT NULL DEFAULT 0,
  trimmed_seq          bigint NOT NULL DEFAULT 0,
  last_memory_write_at timestamptz(3),
  memory_count         bigint NOT NULL DEFAULT 0,
  term_total           bigint NOT NULL DEFAULT 0
);

CREATE TABLE bank_event (
  bank_id         text NOT NULL,
  seq             bigint NOT NULL,
  xid             bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
  id              bigserial NOT NULL,
  type            text NOT NULL,
  operation_id    uuid,
  mental_model_id text,
  state_key       text,
  payload         jsonb NOT NULL,
  at              timestamptz(3) NOT NULL,
  PRIMARY KEY (bank_id, seq)
);
-- The stream over all banks is the one reader that crosses them.
CREATE INDEX bank_event_order ON bank_event (xid, id);
CREATE INDEX bank_event_operation ON bank_event (bank_id, operation_id, seq) WHERE operation_id IS NOT NULL;
CREATE INDEX bank_event_mental_model ON bank_event (bank_id, mental_model_id, seq) WHERE mental_model_id IS NOT NULL;

CREATE TABLE operation (
  bank_id           text NOT NULL REFERENCES bank ON DELETE CASCADE,
  id                uuid NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  payload           jsonb NOT NULL,
  progress          jsonb,
  detail            jsonb,
  error             jsonb,
  input_tokens      bigint NOT NULL DEFAULT 0,
  output_tokens     bigint NOT NULL DEFAULT 0,
  attempt           integer NOT NULL DEFAULT 0,
  max_attempts      integer NOT NULL,
  next_attempt_at   timestamptz(3),
  parked_reason     text,
  serialization_key text,
  coalesce_key      text,
  idempotency_key   text,
  idempotency_hash  text,
  parent_id         uuid,
  document_id       text,
  mental_model_id   text,
  worker_id         text,
  fence             bigint NOT NULL DEFAULT 0,
  lease_until       timestamptz(3),
  created_at        timestamptz(3) NOT NULL,
  updated_at        timestamptz(3) NOT NULL,
  started_at        timestamptz(3),
  completed_at      timestamptz(3),
  PRIMARY KEY (bank_id, id)
);
CREATE INDEX operation_created ON operation (bank_id, created_at DESC, id DESC);
CREATE INDEX operation_mental_model ON operation (bank_id, mental_model_id, created_at DESC) WHERE mental_model_id IS NOT NULL;
CREATE INDEX operation_document ON operation (bank_id, document_id, created_at DESC) WHERE document_id IS NOT NULL;
CREATE INDEX operation_parent ON operation (bank_id, parent_id) WHERE parent_id IS NOT NULL;
-- Partial: holds only live operations, so the claim reads few rows however long the history grows.
CREATE INDEX operation_live ON operation (bank_id, serialization_key, created_at, id) WHERE status IN ('PENDING', 'PROCESSING');
CREATE UNIQUE INDEX operation_coalesce ON operation (bank_id, coalesce_key) WHERE status = 'PENDING' AND coalesce_key IS NOT NULL;
CREATE UNIQUE INDEX operation_idempotency ON operation (bank_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE clock_tick (
  job  text PRIMARY KEY,
  tick timestamptz(3) NOT NULL
);

CREATE TABLE setting (
  key   text PRIMARY KEY,
  value jsonb NOT NULL
);

CREATE TABLE document (
  bank_id      text NOT NULL REFERENCES bank ON DELETE CASCADE,
  document_id  text NOT NULL,
  text         text,
  text_length  integer NOT NULL,
  content_hash text NOT NULL,
  tags         text[] NOT NULL,
  metadata     jsonb NOT NULL DEFAULT '{}',
  retain_items jsonb NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  updated_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (bank_id, document_id)
);
CREATE INDEX document_updated ON document (bank_id, updated_at DESC, document_id DESC);

CREATE TABLE chunk (
  bank_id      text NOT NULL,
  id           uuid NOT NULL,
  document_id  text NOT NULL,
  index        integer NOT NULL,
  item_index   integer NOT NULL,
  text         text NOT NULL,
  content_hash text NOT NULL,
  extracted    boolean NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (bank_id, id),
  FOREIGN KEY (bank_id, document_id) REFERENCES document ON DELETE CASCADE
);
CREATE UNIQUE INDEX chunk_document ON chunk (bank_id, document_id, index);

CREATE TABLE memory (
  bank_id                 text NOT NULL REFERENCES bank ON DELETE CASCADE,
  id                      uuid NOT NULL,
  text                    text NOT NULL,
  fact_type               text NOT NULL CHECK (fact_type IN ('WORLD', 'EXPERIENCE', 'OBSERVATION')),
  context                 text,
  occurred_start          timestamptz(3),
  occurred_end            timestamptz(3),
  mentioned_at            timestamptz(3),
  tags                    text[] NOT NULL,
  metadata                jsonb NOT NULL DEFAULT '{}',
  document_id             text,
  chunk_id                uuid,
  position                integer NOT NULL DEFAULT 0,
  term_count              integer NOT NULL DEFAULT 0,
  proof_count             integer NOT NULL DEFAULT 1,
  source_memory_ids       uuid[] NOT NULL DEFAULT '{}',
  observation_scopes      jsonb,
  consolidated_at         timestamptz(3),
  consolidation_failed_at timestamptz(3),
  valid_from              timestamptz(3),
  valid_to                timestamptz(3),
  superseded_by_id        uuid,
  invalidated_at          timestamptz(3),
  invalidation_reason     text,
  created_at              timestamptz(3) NOT NULL,
  updated_at              timestamptz(3) NOT NULL,
  PRIMARY KEY (bank_id, id),
  FOREIGN KEY (bank_id, document_id) REFERENCES document ON DELETE CASCADE,
  FOREIGN KEY (bank_id, chunk_id) REFERENCES chunk ON DELETE CASCADE
);
CREATE INDEX memory_created ON memory (bank_id, created_at DESC, id DESC);
CREATE INDEX memory_updated ON memory (bank_id, updated_at);
CREATE INDEX memory_document ON memory (bank_id, document_id, position);
CREATE INDEX memory_chunk ON memory (bank_id, chunk_id);
-- GIN cannot lead with the bank without a further extension; the planner ANDs its bitmap with one of the indexes above.
CREATE INDEX memory_tags ON memory USING gin (tags);

CREATE TABLE memory_vector (
  bank_id   text NOT NULL,
  memory_id uuid NOT NULL,
  embedding vector NOT NULL,
  PRIMARY KEY (bank_id, memory_id),
  FOREIGN KEY (bank_id, memory_id) REFERENCES memory ON DELETE CASCADE
);
ALTER TABLE memory_vector ALTER COLUMN embedding SET STORAGE PLAIN;

CREATE TABLE memory_term (
  bank_id   text NOT NULL,
  term      text NOT NULL,
  memory_id uuid NOT NULL,
  frequency real NOT NULL,
  PRIMARY KEY (bank_id, term, memory_id) INCLUDE (frequency),
  FOREIGN KEY (bank_id, memory_id) REFERENCES memory ON DELETE CASCADE
);
CREATE INDEX memory_term_memory ON memory_term (bank_id, memory_id);

CREATE TABLE entity (
  bank_id       text NOT NULL REFERENCES bank ON DELETE CASCADE,
  id            uuid NOT NULL,
  name          text NOT NULL,
  name_key      text NOT NULL,
  kind          text NOT NULL CHECK (kind IN ('regular', 'label')),
  aliases       text[] NOT NULL DEFAULT '{}',
  mention_count integer NOT NULL DEFAULT 0,
  first_seen_at timestamptz(3),
  last_seen_at  timestamptz(3),
  PRIMARY KEY (bank_id, id)
);
CREATE UNIQUE INDEX entity_name ON entity (bank_id, name_key);
CREATE INDEX entity_mentions ON entity (bank_id, mention_count DESC, id DESC);

CREATE TABLE memory_entity (
  bank_id   text NOT NULL,
  memory_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  PRIMARY KEY (bank_id, memory_id, entity_id),
  FOREIGN KEY (bank_id, memory_id) REFERENCES memory ON DELETE CASCADE,
  FOREIGN KEY (bank_id, entity_id) REFERENCES entity ON DELETE CASCADE
);
CREATE INDEX memory_entity_entity ON memory_entity (bank_id, entity_id, memory_id);

CREATE TABLE directive (
  bank_id    text NOT NULL REFERENCES bank ON DELETE CASCADE,
  id         uuid NOT NULL,
  name       text NOT NULL,
  content    text NOT NULL,
  priority   integer NOT NULL,
  is_active  boolean NOT NULL,
  tags       text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (bank_id, id)
);
CREATE INDEX directive_priority ON directive (bank_id, priority DESC, created_at DESC, id DESC);

CREATE TABLE mental_model (
  bank_id                     text NOT NULL REFERENCES bank ON DELETE CASCADE,
  mental_model_id             text NOT NULL,
  name                        text NOT NULL,
  source_query                text NOT NULL,
  tags                        text[] NOT NULL,
  max_tokens                  integer NOT NULL,
  trigger                     jsonb NOT NULL,
  content                     text NOT NULL DEFAULT '',
  structured_content          jsonb,
  structured_output           jsonb,
  based_on                    jsonb NOT NULL DEFAULT '{}',
  last_refresh                jsonb,
  trace                       jsonb,
  is_stale                    boolean NOT NULL DEFAULT true,
  last_refreshed_at           timestamptz(3),
  last_full_refresh_at        timestamptz(3),
  last_memory_seen_at         timestamptz(3),
  last_refresh_failed_at      timestamptz(3),
  last_refresh_error          jsonb,
  last_refreshed_source_query text,
  created_at                  timestamptz(3) NOT NULL,
  updated_at                  timestamptz(3) NOT NULL,
  PRIMARY KEY (bank_id, mental_model_id)
);
CREATE INDEX mental_model_created ON mental_model (bank_id, created_at DESC, mental_model_id DESC);

CREATE TABLE mental_model_vector (
  bank_id         text NOT NULL,
  mental_model_id text NOT NULL,
  embedding       vector NOT NULL,
  PRIMARY KEY (bank_id, mental_model_id),
  FOREIGN KEY (bank_id, mental_model_id) REFERENCES mental_model ON DELETE CASCADE
);

CREATE TABLE mental_model_version (
  bank_id          text NOT NULL,
  mental_model_id  text NOT NULL,
  id               bigserial NOT NULL,
  previous_content text NOT NULL,
  changed_at       timestamptz(3) NOT NULL,
  PRIMARY KEY (bank_id, mental_model_id, id),
  FOREIGN KEY (bank_id, mental_model_id) REFERENCES mental_model ON DELETE CASCADE
);

-- BM25 needs the number of memories and their average length. Statement triggers keep both right on every path that
-- adds, removes, edits or invalidates memories; each such path holds the bank's clock row anyway.
CREATE FUNCTION memory_statistics_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_clock c SET memory_count = c.memory_count + d.n, term_total = c.term_total + d.terms
  FROM (SELECT bank_id, count(*) AS n, sum(term_count) AS terms FROM new_rows WHERE invalidated_at IS NULL GROUP BY bank_id) d
  WHERE c.bank_id = d.bank_id;
  RETURN NULL;
END $$;
CREATE FUNCTION memory_statistics_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_clock c SET memory_count = c.memory_count - d.n, term_total = c.term_total - d.terms
  FROM (SELECT bank_id, count(*) AS n, sum(term_count) AS terms FROM old_rows WHERE invalidated_at IS NULL GROUP BY bank_id) d
  WHERE c.bank_id = d.bank_id;
  RETURN NULL;
END $$;
CREATE FUNCTION memory_statistics_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bank_clock c SET memory_count = c.memory_count + d.n, term_total = c.term_total + d.terms
  FROM (
    SELECT bank_id, sum(n) AS n, sum(terms) AS terms FROM (
      SELECT bank_id, 1 AS n, term_count AS terms FROM new_rows WHERE invalidated_at IS NULL
      UNION ALL
      SELECT bank_id, -1, -term_count FROM old_rows WHERE invalidated_at IS NULL
    ) change GROUP BY bank_id
  ) d
  WHERE c.bank_id = d.bank_id AND (d.n <> 0 OR d.terms <> 0);
  RETURN NULL;
END $$;
CREATE TRIGGER memory_statistics_insert AFTER INSERT ON memory
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION memory_statistics_inserted();
CREATE TRIGGER memory_statistics_delete AFTER DELETE ON memory
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION memory_statistics_deleted();
CREATE TRIGGER memory_statistics_update AFTER UPDATE ON memory
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION memory_statistics_updated();
