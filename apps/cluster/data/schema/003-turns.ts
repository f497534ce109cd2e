// Turns at a server that limits how often it is asked. A row of `limits` is a token bucket: `tokens` were there `at`; while `at` lies
// ahead, the server has asked everyone to wait until then. The row of a server's tokens is called 'NAME tokens'.
export const turns: readonly string[] = [
  // Takes a turn, or says how many seconds until it is worth asking again. Rows are locked in one order: the server, then its tokens.
  `create function longtake.take_turn(
    server text, call_id text, seconds double precision, wanted_tokens double precision,
    out wait double precision, out workers integer
  ) language plpgsql as $$
  declare
    turn longtake.limits;
    spent longtake.limits;
    moment timestamptz;
  begin
    select * into turn from longtake.limits where name = server for update;
    select * into spent from longtake.limits where name = server || ' tokens' for update;
    moment := clock_timestamp();
    select greatest(1, count(*)) into workers from longtake.worker where state = 'live' and seen > moment - interval '2 minutes';
    turn := longtake.refilled(turn, moment);
    spent := longtake.refilled(spent, moment);
    wait := greatest(
      longtake.seconds_until(turn, 1, moment),
      longtake.seconds_until(spent, least(wanted_tokens, spent.burst), moment)
    );
    if wait = 0 and turn.concurrent is not null and
      (select count(*) from longtake.call where name = server and until > moment) >= turn.concurrent
    then
      wait := 0.05;
    end if;
    if wait > 0 then return; end if;
    update longtake.limits set tokens = turn.tokens - 1, at = turn.at where name = server;
    update longtake.limits set tokens = spent.tokens - wanted_tokens, at = spent.at where name = server || ' tokens';
    insert into longtake.call (id, name, until) values (call_id, server, moment + make_interval(secs => seconds));
  end $$`,

  `create function longtake.refilled(bucket longtake.limits, moment timestamptz) returns longtake.limits
  language plpgsql immutable as $$
  begin
    if bucket.at <= moment then
      bucket.tokens := least(bucket.burst, bucket.tokens + bucket.rate * extract(epoch from moment - bucket.at));
      bucket.at := moment;
    end if;
    return bucket;
  end $$`,

  // A bucket without a rate only ever waits for the time that a server has asked for.
  `create function longtake.seconds_until(bucket longtake.limits, wanted double precision, moment timestamptz)
  returns double precision language sql immutable as $$
    select greatest(
      0,
      coalesce(extract(epoch from bucket.at - moment), 0)::double precision
        + greatest(0, coalesce((wanted - bucket.tokens) / bucket.rate, 0))
    )
  $$`,

  // Ends a call: what it took beside what was set aside for it, and the wait that the server asks for.
  `create function longtake.end_turn(
    server text, call_id text, set_aside double precision, taken double precision, wait_seconds double precision
  ) returns void language plpgsql as $$
  declare
    moment timestamptz;
  begin
    perform 1 from longtake.limits where name = server for update;
    moment := clock_timestamp();
    delete from longtake.call where id = call_id or (name = server and until < moment - interval '1 minute');
    update longtake.limits set tokens = tokens - (taken - set_aside) where name = server || ' tokens' and taken <> set_aside;
    if wait_seconds > 0 then
      update longtake.limits set tokens = 1, at = greatest(at, moment + make_interval(secs => wait_seconds)) where name = server;
    end if;
  end $$`,
]
