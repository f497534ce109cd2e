// Shares of a benchmark run. `video` is its id, `config` what its index is made with: a shard is sent when that index is there.
export const shards: readonly string[] = [
  `create table longtake.shard (
    run text not null references longtake.run on delete cascade,
    n integer not null,
    video text not null,
    config text not null,
    queue text not null,
    samples text[] not null,
    priority smallint not null default 1,
    sent timestamptz,
    primary key (run, n)
  )`,
  `create index shard_video on longtake.shard (video, config) where sent is null`,
]
