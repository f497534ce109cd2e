import { Text } from '../../../../src/page/text.tsx'
import type { ComparedLine, ComparedRuns } from './types.ts'

const kinds = {
  'other call': 'another call was made',
  'other input': 'the same call was made with another input',
  'other result': 'the same call gave another result',
  'ended earlier': 'one of them had ended',
}

export const firstDifference = 'first-difference' // the id of its line

// What is the same in both, and where they part.
export function ComparisonSummary({ of: comparison }: { of: ComparedRuns }) {
  const { same, settings } = comparison
  return (
    <div class="verdict-bar">
      <p class="sames">
        <Same of="question" is={same.question} />
        <Same of="video" is={same.video} />
        <Same of="index" is={same.index} />
        <Same of="settings" is={settings.length === 0} />
      </p>
      <FirstDifference of={comparison} />
    </div>
  )
}

function Same({ of, is }: { of: string; is: boolean | undefined }) {
  if (is === undefined) return <span class="chip">? {of}: not recorded</span>
  const plural = of === 'settings'
  return is ? (
    <span class="chip good">✓ same {of}</span>
  ) : (
    <span class="chip warn">
      ≠ {plural ? 'other' : 'another'} {of}
    </span>
  )
}

function FirstDifference({ of: { a, b, divergence, steps } }: { of: ComparedRuns }) {
  if (a.id === b.id) return <p>Both sides are the same run, so nothing differs.</p>
  if (!divergence) return <p>Both went alike: {steps.length} steps, each with the same call and the same rows.</p>
  const { at, kind } = divergence
  const show = () => {
    const line = document.getElementById(firstDifference)
    line?.scrollIntoView({ block: 'center' })
    line?.focus()
  }
  return (
    <p class="first">
      <b>First difference: </b>
      line {at + 1} of {steps.length}, {kinds[kind]}. A: <Line of={divergence.a} /> · B: <Line of={divergence.b} />{' '}
      <button type="button" onClick={show}>
        Show it
      </button>
    </p>
  )
}

function Line({ of }: { of: ComparedLine | undefined }) {
  return of ? <code>{of.tool ?? of.node}</code> : <span class="dim">nothing</span>
}

const shownAtFirst = 8

// The settings that differ, by their dotted names.
export function SettingDifferences({ of: { settings } }: { of: ComparedRuns }) {
  if (settings.length === 0) return null
  const lines = (some: ComparedRuns['settings']) =>
    some.map(({ setting, a, b }) => (
      <tr key={setting}>
        <th scope="row">
          <Text of={setting} />
        </th>
        <td>{valueText(a)}</td>
        <td>{valueText(b)}</td>
      </tr>
    ))
  return (
    <section class="panel settings" aria-labelledby="settings-title">
      <h2 id="settings-title">Settings that differ</h2>
      <table>
        <thead>
          <tr>
            <th>Setting</th>
            <th>A</th>
            <th>B</th>
          </tr>
        </thead>
        <tbody>{lines(settings.slice(0, shownAtFirst))}</tbody>
      </table>
      {settings.length > shownAtFirst && (
        <details>
          <summary>{settings.length - shownAtFirst} more</summary>
          <table>
            <tbody>{lines(settings.slice(shownAtFirst))}</tbody>
          </table>
        </details>
      )}
    </section>
  )
}

function valueText(value: unknown) {
  if (value === undefined) return <span class="dim">not set</span>
  return <Text of={typeof value === 'string' ? value : JSON.stringify(value)} />
}
