// Search over all videos. They are derived from results, and may be emptied and filled again at any time. The tables of vectors are made
// where pgvector is (apps/cluster/library/shot-table.ts), one for each space.
export const libraryTables: readonly string[] = [
  // How much its length damps a line, as the text index of its video has it; who made it, and who speaks.
  `alter table longtake.line add column damping real not null default 1.2, add column by text not null default '',
    add column speaker text, add column frame double precision`,

  // Each word of any line, how it sounds and how it looks: a misreading is found by what it is taken for.
  `create table longtake.word (word text primary key, lines integer not null, sound text not null, shape text not null)`,
  `create index word_sound on longtake.word (sound)`,
  `create index word_shape on longtake.word (shape)`,

  // The videos whose lines are in the tables, as they were when they were filled.
  `create table longtake.filled (
    video text primary key,
    name text not null,
    probe json not null,
    lines integer not null,
    space text,
    config text,
    at timestamptz not null default now()
  )`,
  `create table longtake.space (
    name text primary key,
    by text not null,
    dimensions integer not null,
    added timestamptz not null default now()
  )`,
]
