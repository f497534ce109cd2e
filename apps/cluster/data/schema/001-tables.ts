// The first schema. Times are the database's. `json`, not `jsonb`, where the bytes of what was written must come back.
export const tables: readonly string[] = [
  `create table longtake.video (
    id text primary key,
    name text not null,
    bytes bigint not null,
    duration double precision,
    probe json,
    added timestamptz not null default now()
  )`,

  // Where its file lies: below a root that each machine has its own path for, or an object of the store.
  `create table longtake.source (
    video text not null references longtake.video on delete cascade,
    root text not null default '',
    path text not null default '',
    object text,
    primary key (video, root, path),
    check ((path <> '') <> (object is not null))
  )`,

  `create table longtake.config (hash text primary key, json json not null)`,

  `create table longtake.need (
    queue text primary key,
    stage text not null,
    backend text not null,
    version text not null,
    resource text not null check (resource in ('cpu', 'gpu', 'net'))
  )`,

  `create table longtake.request (
    id uuid primary key,
    kind text not null,
    config text,
    priority smallint not null default 1,
    state text not null default 'open' check (state in ('open', 'done', 'partial', 'cancelled')),
    done integer not null default 0,
    total integer not null default 0,
    by text,
    created timestamptz not null default now(),
    ended timestamptz
  )`,
  `create index request_open on longtake.request (created) where state = 'open'`,

  `create table longtake.want (
    request uuid not null references longtake.request on delete cascade,
    video text not null,
    state text not null default 'planned' check (state in ('planned', 'running', 'done', 'failed')),
    note text,
    primary key (request, video)
  )`,
  `create index want_video on longtake.want (video)`,

  // The commit point of a result: what has no row is not there, whatever lies in the store.
  `create table longtake.artifact (
    video text not null,
    stage text not null,
    key text not null,
    attempt text not null,
    object text not null,
    bytes bigint not null,
    sha256 text not null,
    meta json not null,
    worker text,
    device text,
    at timestamptz not null default now(),
    primary key (video, stage, key)
  )`,
  `create index artifact_at on longtake.artifact (at)`,
  `create index artifact_object on longtake.artifact (object)`,

  // Each time that a job was begun. `kind` says how it ended.
  `create table longtake.attempt (
    job uuid not null,
    n integer not null,
    worker text not null,
    queue text,
    video text,
    stage text,
    started timestamptz not null default now(),
    ended timestamptz,
    kind text,
    message text,
    primary key (job, n)
  )`,
  `create index attempt_open on longtake.attempt (worker) where ended is null`,
  `create index attempt_queue on longtake.attempt (queue, ended desc) where kind = 'completed'`,

  `create table longtake.failure (
    video text not null,
    stage text not null,
    key text not null,
    kind text not null,
    message text not null,
    attempts integer not null default 1,
    at timestamptz not null default now(),
    primary key (video, stage, key)
  )`,

  `create table longtake.worker (
    id text primary key,
    host text not null,
    version text not null,
    slots json not null,
    queues text[] not null default '{}',
    seen timestamptz not null default now(),
    state text not null default 'live' check (state in ('live', 'draining', 'gone')),
    note text
  )`,

  `create unlogged table longtake.progress (
    job uuid primary key,
    worker text not null,
    text text not null,
    done double precision,
    total double precision,
    at timestamptz not null default now()
  )`,

  `create table longtake.run (
    id text primary key,
    environment json not null,
    config json not null,
    state text not null default 'open'
  )`,
  `create table longtake.answer (
    run text not null references longtake.run on delete cascade,
    sample text not null,
    line json not null,
    worker text,
    at timestamptz not null default now(),
    primary key (run, sample)
  )`,
  `create index answer_at on longtake.answer (run, at)`,
  `create table longtake.part (
    run text not null references longtake.run on delete cascade,
    sample text not null,
    ask text not null,
    record json not null,
    primary key (run, sample, ask)
  )`,

  `create table longtake.limits (
    name text primary key,
    rate double precision,
    burst double precision,
    tokens double precision,
    at timestamptz not null default now(),
    concurrent integer
  )`,
  `create table longtake.call (id text primary key, name text not null, until timestamptz not null)`,
  `create index call_name on longtake.call (name, until)`,

  `create table longtake.line (
    video text not null,
    "row" text not null,
    track text not null,
    start double precision not null,
    stop double precision not null,
    text text not null,
    ts tsvector not null,
    primary key (video, "row")
  )`,
  `create index line_ts on longtake.line using gin (ts)`,
]
