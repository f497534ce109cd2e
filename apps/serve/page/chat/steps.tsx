import { safeJson } from '../../../../src/core/words/visible-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { formatCount } from '../parts/format.ts'
import type { Film, FilmCall, FilmItem } from './film.ts'
import { verdictSigns } from './verdicts.ts'

// What a run did, in order, while it goes on and afterwards.
export function FilmSteps({ film, live }: { film: Film; live: boolean }) {
  if (film.items.length === 0) return live ? <p class="dim small">Waiting for the first step…</p> : null
  return (
    <ol class="steps">
      {film.items.map((item, at) => (
        <StepLine key={at} item={item} live={live && at === film.items.length - 1} />
      ))}
    </ol>
  )
}

const names: Record<string, string> = {
  overview: 'Reads the overview',
  check: 'Checks each sentence',
  answer: 'Answers',
}

function StepLine({ item, live }: { item: FilmItem; live: boolean }) {
  if (item.kind === 'step') {
    const name = names[item.name]
    return name === undefined ? null : <li class={live ? 'step live' : 'step'}>{name}</li>
  }
  if (item.kind === 'plan')
    return onlyCalls(item.text) ? null : (
      <li class="step plan">
        <Text of={item.text} />
      </li>
    )
  if (item.kind === 'call') return <CallLine call={item.call} />
  if (item.kind === 'draft')
    return (
      <li class="step draft">
        <span class="step-word">Draft</span> <Text of={item.text} />
      </li>
    )
  if (item.kind === 'verdict') {
    const { sign, title } = verdictSigns[item.verdict]
    return (
      <li class="step">
        <span class={`verdict ${item.verdict}`}>{sign}</span> {title}: <Text class="dim" of={item.reason} />
      </li>
    )
  }
  return (
    <li class="step dim">
      <Text of={item.text} />
    </li>
  )
}

// A planner that says nothing but its calls: they follow.
function onlyCalls(text: string): boolean {
  return text.split('\n').every(line => /^(\w+ \{.*\}|READY|\s*)$/.test(line))
}

const outcomes = {
  found: { sign: '✓', word: '' },
  nothing: { sign: '○', word: 'nothing' },
  refused: { sign: '✗', word: 'refused' },
  failed: { sign: '✗', word: 'failed' },
  repeated: { sign: '↻', word: 'repeated' },
}

function CallLine({ call }: { call: FilmCall }) {
  const outcome = call.outcome && outcomes[call.outcome]
  return (
    <li class={outcome ? `step call ${call.outcome}` : 'step call live'}>
      <span class="step-sign">{outcome?.sign ?? '●'}</span>
      <b>{call.tool}</b> <Text class="step-input" of={inputText(call.input)} />
      <span class="step-outcome">
        {outcome === undefined ? '…' : call.outcome === 'found' ? formatCount(call.found, 'row') : outcome.word}
      </span>
    </li>
  )
}

// {"query":"budget","k":8} -> "budget" k 8
function inputText(input: unknown): string {
  if (typeof input !== 'object' || input === null) return safeJson(input)
  return Object.entries(input)
    .map(([name, value]) =>
      name === 'query' ? safeJson(value) : `${name} ${typeof value === 'string' ? value : safeJson(value)}`,
    )
    .join(' · ')
}
