import { graphNames } from '../graphs/index.ts'
import { chatModels } from '../models/chat/index.ts'
import type { ChatModel } from '../src/core/chat.ts'
import { policyNames } from '../src/core/settings.ts'
import { replaceBlock } from './doc-block.ts'
import { median } from './perf/measure.ts'
import { allOn, measure, noPolicies, type Outcome } from './policy-worth/measure.ts'
import { makeStories, type Story } from './policy-worth/story-index.ts'
import { type Weakness, weaknesses } from './policy-worth/weak-models.ts'

// What the policies are worth: models of graded weakness answer needle questions with the policies on and off. Prints the tables;
// with --write they go into docs/agent.md. Nothing is rendered, and no model is called.
const seeds = [11, 12, 13]

const host = { folder: '', environment: {}, signal: new AbortController().signal, say: () => {} }
const rules = await chatModels.open('rules', {}, host)
const stories = (await Promise.all(seeds.map(seed => makeStories(seed, 1, 5)))).flat()
const weak = weaknesses(rules)
const lines = [
  ...(await onAndOff(weak, rules, stories)),
  '',
  ...(await oneOff(weak, rules, stories.slice(0, 1))),
  '',
  ...(await baselines(weak.slice(0, 1), rules, stories)),
]
console.log(lines.join('\n'))
if (process.argv.includes('--write'))
  await replaceBlock('agent.md', '<!-- worth -->', '<!-- end of worth -->', lines.join('\n'))

async function onAndOff(models: Weakness[], verifier: ChatModel, stories: Story[]): Promise<string[]> {
  const rows: string[] = []
  for (const model of models) {
    const off = await measure(model, verifier, stories, noPolicies)
    const on = await measure(model, verifier, stories, allOn)
    rows.push(
      `| ${model.name}: ${model.about} | ${openCell(off.open)} | ${openCell(on.open)} | ${right(off.choice)} | ${right(on.choice)} |`,
    )
    console.error(rows.at(-1))
  }
  return [
    `Right / wrong / "the video does not say" though it does, of ${rowsAsked(stories)} open questions; right of as many with five options (chance 20 %):`,
    '',
    '| model | open, policies off | open, on | options, off | options, on |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ]
}

// Each policy switched off alone, over all the models: what is missing then.
async function oneOff(models: Weakness[], verifier: ChatModel, stories: Story[]): Promise<string[]> {
  const total = async (policy: typeof allOn) => {
    const sum = { open: 0, wrong: 0, choice: 0 }
    for (const model of models) {
      const { open, choice } = await measure(model, verifier, stories, policy)
      sum.open += open.right
      sum.wrong += open.wrong
      sum.choice += choice.right
    }
    return sum
  }
  const whole = await total(allOn)
  const rows: string[] = []
  for (const name of policyNames) {
    if (name === 'budgets') continue
    const one = await total({ ...allOn, [name]: false })
    const less = (key: keyof typeof one) => signed(one[key] - whole[key])
    rows.push(`| \`${name}\` | ${less('open')} | ${less('wrong')} | ${less('choice')} |`)
    console.error(rows.at(-1))
  }
  const asked = rowsAsked(stories) * models.length
  return [
    `One policy off at a time, over all ${models.length} models on the first video (${asked} open questions and as many with options; with all policies on ${whole.open} right, ${whole.wrong} wrong, ${whole.choice} options right):`,
    '',
    '| switched off | open right | open wrong | options right |',
    '| --- | --- | --- | --- |',
    ...rows,
  ]
}

async function baselines(models: Weakness[], verifier: ChatModel, stories: Story[]): Promise<string[]> {
  const rows: string[] = []
  // Rules see nothing, so the graph that shows its planner pictures is not among them.
  for (const model of models)
    for (const name of graphNames.filter(one => one !== 'seek')) {
      const { open, choice } = await measure(model, verifier, stories, allOn, name)
      const steps = (open.steps / open.asked).toFixed(1)
      rows.push(
        `| \`${name}\` | ${openCell(open)} | ${right(choice)} | ${steps} | ${median(open.perStep).toFixed(1)} ms |`,
      )
    }
  return [
    'The graphs with the same rules in every role (no frames, no sound: what needs a model to look or listen is missing in all of them alike):',
    '',
    '| graph | open: right / wrong / not said | options right | steps a question | median of the processor a step |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ]
}

function openCell({ right, wrong, silent }: Outcome): string {
  return `${right} / ${wrong} / ${silent}`
}

function right({ right, asked }: Outcome): string {
  return `${right} of ${asked}`
}

function rowsAsked(stories: Story[]): number {
  return stories.flatMap(one => one.records).filter(record => record.kind !== 'fact-picture').length
}

function signed(number: number): string {
  return number > 0 ? `+${number}` : String(number)
}
