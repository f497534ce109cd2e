import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { Doctor } from '../health/doctor.tsx'
import { Snippets } from '../health/snippets.tsx'
import { useLoad } from '../load.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import type { ViewProps } from '../view.ts'

// What is ready, what is missing and its one next step; how other programs reach this very server.
export default function Health(_: ViewProps) {
  const alive = useLoad(signal => api('GET /health', { signal }))
  const folders = useLoad(signal => api('GET /folders', { signal }))
  const { value, error } = alive.loaded.value
  const allowed = folders.loaded.value.value?.folders
  return (
    <div class="health">
      <div class="view-head">
        <h1>Health</h1>
        <p class="dim small">{value && `longtake ${value.version} runs at ${location.host}`}</p>
      </div>
      {error && <ProblemNotice error={error} again={alive.again} />}
      <Doctor />
      <div class="beside">
        <Snippets />
        <section aria-labelledby="folders-title">
          <h2 id="folders-title">Folders</h2>
          {allowed?.length === 0 && (
            <p class="dim">
              None: only what the library knows is served. Files can be added from folders that are named at the start:{' '}
              <code>longtake serve FOLDER</code>.
            </p>
          )}
          {allowed && allowed.length > 0 && (
            <ul class="panel rows">
              {allowed.map(({ folder, path }) => (
                <li key={folder}>
                  <Text of={path} class="path" />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  )
}
