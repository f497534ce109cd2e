import { useSignal } from '@preact/signals'
import { chooseAnswering } from '../answering.ts'
import { api, type ReplyTo } from '../api.ts'
import { useLoad } from '../load.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { TryAnswering } from './try-answering.tsx'

type Profile = ReplyTo<'GET /answering'>['profiles'][number]

const patience = 300 // milliseconds before the server is asked again whether it runs with the profile

// How videos are indexed and who answers, for everybody whom this server serves.
export function Profiles() {
  const { loaded } = useLoad(signal => api('GET /answering', { signal }))
  const starting = useSignal<string | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  const choose = async (name: string) => {
    starting.value = name
    error.value = undefined
    try {
      await api('POST /profile', { body: { profile: name } })
      while (!(await runsWith(name))) await new Promise(resolve => setTimeout(resolve, patience))
      chooseAnswering({ name: '', by: '', settings: {} }) // a model of the earlier profile
      location.reload()
    } catch (reason) {
      error.value = reason as Error
      starting.value = undefined
    }
  }
  return (
    <section class="answering" aria-labelledby="profile-title">
      <h2 id="profile-title">Profile</h2>
      {error.value && <ProblemNotice error={error.value} />}
      <ul class="panel rows" aria-labelledby="profile-title">
        {loaded.value.value?.profiles.map(profile => (
          <ProfileRow key={profile.name} profile={profile} starting={starting.value} choose={choose} />
        ))}
      </ul>
      <p class="dim small">
        How videos are indexed, and who answers. Choosing one restarts the server with it, for everybody who uses it,
        until it ends; <code>longtake config set profile NAME</code> keeps it. What the earlier profile made stays.
      </p>
    </section>
  )
}

async function runsWith(name: string): Promise<boolean> {
  const reply = await api('GET /answering').catch(() => undefined)
  return reply?.profiles.some(profile => profile.chosen && profile.name === name) ?? false
}

interface RowProps {
  profile: Profile
  starting: string | undefined
  choose(name: string): void
}

function ProfileRow({ profile: { name, about, chosen, anew, refused }, starting, choose }: RowProps) {
  return (
    <li>
      <label>
        <input
          type="radio"
          name="profile"
          checked={starting === undefined ? chosen : starting === name}
          disabled={refused !== undefined || starting !== undefined}
          onChange={() => choose(name)}
        />{' '}
        <b>{name}</b>
      </label>
      <span class="about dim small">
        {about}.{anew.length > 0 && ` A video that is asked next is indexed anew: ${anew.join(', ')}.`}
        {refused !== undefined && ` ${refused}`}
      </span>
      {starting === name && (
        <span class="tried small" role="status">
          Starting…
        </span>
      )}
      {refused === undefined && starting === undefined && <TryAnswering name={name} body={{ profile: name }} />}
    </li>
  )
}
