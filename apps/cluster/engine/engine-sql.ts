// What pg-boss (schema pgboss, version 12.35) has no function for: an own delay at each retry, failing for good, giving back without
// counting, and asking several queues at once. Its states in order: created, retry, active, completed, cancelled, failed.

// The first of the queues, in the given order, with a job that can begin now.
export const firstQueue = `
  select asked.name from unnest($1::text[]) with ordinality as asked (name, place)
  where exists (
    select 1 from pgboss.job
    where job.name = asked.name and job.state < 'active' and not job.blocked and job.start_after <= now()
  )
  order by asked.place limit 1`

const heldByAttempt = "name = $1 and id = $2::uuid and state = 'active' and retry_count = $3"

export const retryLater = `
  update pgboss.job set state = 'retry', completed_on = null, start_after = now() + $4 * interval '1 s'
  where ${heldByAttempt} returning id`

// The next attempt still has a number of its own, which fences this one; only the limit goes up with it.
export const giveBack = `
  update pgboss.job set state = 'retry', completed_on = null, start_after = now() + $4 * interval '1 s', retry_limit = retry_limit + 1
  where ${heldByAttempt} returning id`

export const failForGood = `
  update pgboss.job set state = 'failed', completed_on = now(), output = jsonb_build_object('message', $4::text)
  where ${heldByAttempt} returning id`

export const completedBy = `
  select 1 from pgboss.job where name = $1 and id = $2::uuid and state = 'completed' and retry_count = $3`

// A job that has ended and is wanted again is the same row, so that a late worker of its earlier life stays fenced.
export const revive = `
  update pgboss.job set state = 'created', completed_on = null, output = null, start_after = now(), created_on = now(),
    keep_until = now() + interval '365 days', retry_limit = retry_count + $4,
    priority = asked.priority, data = asked.data
  from unnest($2::uuid[], $3::integer[], $5::jsonb[]) as asked (id, priority, data)
  where job.name = $1 and job.id = asked.id and job.state > 'active' returning job.id`

// One that waits already, for a request of less hurry.
export const hurry = `
  update pgboss.job set priority = asked.priority
  from unnest($2::uuid[], $3::integer[]) as asked (id, priority)
  where job.name = $1 and job.id = asked.id and job.state < 'active' and job.priority < asked.priority`

export const cancelAll = `
  update pgboss.job set state = 'cancelled', completed_on = now()
  where name = any (array(select name from pgboss.queue)) and id = any ($1::uuid[]) and state < 'completed'`

export const unfinishedJobs = `
  select id from pgboss.job
  where name = any (array(select name from pgboss.queue)) and id = any ($1::uuid[]) and state < 'completed'`

export const countAll = `
  select name as queue,
    count(*) filter (where state < 'active') as waiting,
    count(*) filter (where state = 'active') as running,
    count(*) filter (where state = 'failed') as failed,
    extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now()))::float8 as oldest
  from pgboss.job where state <> 'completed' and state <> 'cancelled' and name <> $1
  group by name order by name`
