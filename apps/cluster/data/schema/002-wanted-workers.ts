// For a scaler, which asks `select longtake.wanted_workers('gpu')`: the seconds of work that wait, by what such jobs took lately
// (a minute where none has ended yet), in shares of ten minutes. Never fewer than are at work, so that scaling down stops no job.
export const wantedWorkers: readonly string[] = [
  `create function longtake.wanted_workers(wanted text) returns integer language plpgsql stable as $$
  declare
    waiting double precision;
    working integer;
  begin
    if to_regclass('pgboss.job') is null then return 0; end if;
    select coalesce(sum(queued.jobs * coalesce(took.seconds, 60)), 0) into waiting
      from (
        select name, count(*) as jobs from pgboss.job where state in ('created', 'retry') group by name
      ) queued
      join longtake.need on need.queue = queued.name and need.resource = wanted
      left join lateral (
        select avg(extract(epoch from ended - started)) as seconds from (
          select started, ended from longtake.attempt
          where attempt.queue = queued.name and kind = 'completed' order by ended desc limit 50
        ) last
      ) took on true;
    select count(distinct attempt.worker) into working
      from longtake.attempt
      join longtake.need on need.queue = attempt.queue and need.resource = wanted
      join pgboss.job on job.name = attempt.queue and job.id = attempt.job and job.state = 'active'
      where attempt.ended is null;
    return greatest(ceil(waiting / 600)::integer, working);
  end $$`,
]
