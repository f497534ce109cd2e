import { Text } from '../../../../src/page/text.tsx'
import { type AnsweringChoice, answering, chooseAnswering } from '../answering.ts'
import { api } from '../api.ts'
import { useLoad } from '../load.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { TryAnswering } from './try-answering.tsx'

// Who answers the questions that are asked in this browser. What is listed is here already: nothing is downloaded.
export function Answering() {
  const { loaded, again } = useLoad(signal => api('GET /answering', { signal }))
  const { value, error } = loaded.value
  return (
    <section class="answering" aria-labelledby="answering-title">
      <h2 id="answering-title">Who answers</h2>
      {error && <ProblemNotice error={error} again={again} />}
      {value && (
        <>
          <ul class="panel rows" aria-labelledby="answering-title">
            {value.choices.map(choice => (
              <Choice key={choice.name} choice={choice} />
            ))}
          </ul>
          {value.fault !== undefined && (
            <p class="wrong small">
              Its server does not list its models: <Text of={value.fault} />
            </p>
          )}
          <p class="dim small">
            For questions asked in this browser. <code>longtake setup</code> adds models.
          </p>
        </>
      )}
    </section>
  )
}

function Choice({ choice }: { choice: AnsweringChoice }) {
  const { name, by, settings } = choice
  const isOwn = Object.keys(settings).length === 0
  const chosen = answering.value?.name ?? ''
  return (
    <li>
      <label>
        <input
          type="radio"
          name="answering"
          checked={isOwn ? chosen === '' : chosen === name}
          onChange={() => chooseAnswering(choice)}
        />{' '}
        <Text of={name === 'rules' ? 'Rules, without a model' : name} class="strong" />
      </label>
      <span class="dim small">
        {isOwn ? 'as the server was started' : name === 'rules' ? 'quotes the rows that fit; free' : by}
      </span>
      <TryAnswering name={name} body={{ settings }} />
    </li>
  )
}
