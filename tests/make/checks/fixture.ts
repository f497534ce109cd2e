import { dealLetters } from '../../../eval/make/set/deal-letters.ts'
import type {
  CheckGiven,
  DraftItem,
  MakeRole,
  RecipeRules,
  SourceRecord,
  SourceRow,
} from '../../../eval/recipes/item.ts'
import { type ChatModel, type ChatRequest, contentText } from '../../../src/core/chat.ts'

// A made-up talk: a slide every 25 seconds with a title, a label and a value; and what is asked of it.

type Slide = [title: string, label: string, value: string, others: [string, string, string]]

const slides: Slide[] = [
  ['Harbour Bridge', 'length', '512 metres', ['487 metres', '530 metres', '561 metres']],
  ['Corn Mill', 'rent', '375 dollars', ['410 dollars', '260 dollars', '395 dollars']],
  ['Glass House', 'architect', 'Elin Moberg', ['Tomas Reyes', 'Ada Whitcombe', 'Jonas Pell']],
  ['Tram Depot', 'capacity', '48 trams', ['36 trams', '52 trams', '64 trams']],
  ['Salt Market', 'opening day', 'Thursday', ['Monday', 'Sunday', 'Friday']],
  ['Fish Quay', 'depth', '9 metres', ['7 metres', '12 metres', '14 metres']],
  ['Old Observatory', 'founder', 'Ruth Calder', ['Henrik Dahl', 'Ines Lobo', 'Paul Varga']],
  ['Paper Works', 'staff', '230 people', ['180 people', '275 people', '310 people']],
  ['North Gate', 'colour', 'dark green', ['light blue', 'warm ochre', 'pale red']],
  ['Rope Walk', 'width', '6 metres', ['8 metres', '4 metres', '11 metres']],
  ['Clock Tower', 'builder', 'Moritz Hahn', ['Lena Frost', 'Victor Sand', 'Clara Ney']],
  ['Wool Exchange', 'fee', '17 dollars', ['21 dollars', '13 dollars', '28 dollars']],
  ['Ice Cellar', 'temperature', '3 degrees', ['1 degrees', '6 degrees', '8 degrees']],
  ['Botanic Hall', 'director', 'Sofia Grant', ['Emil Lund', 'Nora Weiss', 'Oscar Bell']],
  ['Canal Lock', 'lift', '22 metres', ['18 metres', '25 metres', '31 metres']],
  ['Printing Shop', 'material', 'cast iron', ['soft copper', 'plain oak', 'grey slate']],
  ['Signal Box', 'levers', '84 levers', ['72 levers', '90 levers', '66 levers']],
  ['Chapel Yard', 'tree', 'copper beech', ['silver birch', 'field maple', 'common ash']],
  ['Tannery Row', 'pits', '40 pits', ['35 pits', '44 pits', '58 pits']],
  ['Brick Kiln', 'owner', 'Agnes Doyle', ['Peter Lang', 'Maria Cole', 'Simon Ruud']],
  ['Light House', 'steps', '199 steps', ['176 steps', '205 steps', '230 steps']],
  ['Bell Foundry', 'metal', 'bright bronze', ['dull pewter', 'hard steel', 'thin brass']],
  ['Ferry Stage', 'crossing', '11 minutes', ['15 minutes', '9 minutes', '20 minutes']],
  ['Grain Store', 'height', '33 metres', ['29 metres', '37 metres', '42 metres']],
]

const penalties = {
  hallucination: 'Must not include what the video does not hold',
  contradiction: 'Must not contradict itself',
}

export const records: Record<string, SourceRecord> = { talk: recordOf('talk'), walk: recordOf('walk') }

function recordOf(video: string): SourceRecord {
  const shown = slides.map(
    ([title, label, value], at): SourceRow => ({
      ...{ id: `${video}-t${at}`, track: 'text', text: `${title}\n${label}: ${value}`, confidence: 0.95 },
      span: { start: at * 25, end: at * 25 + 20 },
    }),
  )
  const said = slides.map(
    ([title], at): SourceRow => ({
      ...{ id: `${video}-s${at}`, track: 'speech', text: `Let us turn to the ${title.toLowerCase()} now.` },
      span: { start: at * 25 + 20, end: at * 25 + 24 },
    }),
  )
  return {
    ...{ video_id: video, video: `${video}.mp4`, segments: [], rows: [...shown, ...said] },
    statistics: { segments: 0, duration: 600, fps: 25, frames: 15_000, rows: 48 },
    meta: { title: 'A Morning Lecture on Riverside Trades', genre: 'talk', year: 2021 },
  }
}

// A video of one slide, for a fault that lies in the rows.
export function oneSlide(video: string, text: string): SourceRecord {
  const row: SourceRow = { id: `${video}-t0`, track: 'text', text, span: { start: 10, end: 30 } }
  return { ...recordOf(video), rows: [row], meta: {} }
}

const choices = slides.map(([title, label, value, others], at): DraftItem => {
  const id = `talk_q${String(at).padStart(2, '0')}`
  return {
    ...{ id, video: 'talk', kind: 'value', question: `What is the ${label} of the ${title}?`, answer: value },
    ...{ options: [value, ...others], right: 0, clues: [[at * 25, at * 25 + 20]], rows: [`talk-t${at}`] },
    extra: { difficulty: 1 + (at % 5), modalities: ['visual'] },
  }
})

const open = slides.map(([title, label, value], at): DraftItem => {
  const id = `walk_q${String(at).padStart(2, '0')}`
  return {
    ...{
      id,
      video: 'walk',
      kind: 'value',
      question: `Which ${label} does the ${title} have?`,
      clues: [[at * 25, at * 25 + 20]],
    },
    ...{ answer: `The ${title} has the ${label} ${value}.`, rows: [`walk-t${at}`] },
    extra: {
      criteria: [
        {
          name: 'factual_correctness',
          description: `Must mention ${value}`,
          category: 'high_priority',
          is_penalty: false,
        },
        {
          name: 'key_details',
          description: `Must mention the ${title}`,
          category: 'medium_priority',
          is_penalty: false,
        },
        { name: 'hallucination', description: penalties.hallucination, category: 'penalty', is_penalty: true },
      ],
    },
  }
})

export const clean: DraftItem[] = [...dealLetters(choices, 3), ...open]

export const rules: RecipeRules = {
  names: {
    kind: ['value', 'order'],
    modalities: ['speech', 'visual', 'audio'],
    difficulty: ['1', '2', '3', '4', '5'],
    conversation_role: ['opener', 'deepener', 'challenger', 'synthesizer'],
  },
  criteria: ['factual_correctness', 'key_details', 'completeness', 'accuracy', 'essential_information'],
  penalties,
}

export type Mind = (asked: string, request: ChatRequest) => string
export type Minds = Partial<Record<MakeRole, Mind>>

// Models that say what a function of the whole request says; every request is kept.
export function given(minds: Minds, more: Partial<CheckGiven> = {}, seen: ChatRequest[] = []): CheckGiven {
  return {
    ...{ seed: 5, rules, thresholds: {}, signal: new AbortController().signal },
    record: video => {
      const found = records[video]
      if (!found) throw new RangeError(`no video ${video}`)
      return found
    },
    models: role => (minds[role] ? [modelOf(minds[role], seen)] : []),
    frames: async (_, times) => times.map(() => new Uint8Array([1])),
    ...more,
  }
}

export function modelOf(mind: Mind, seen: ChatRequest[] = []): ChatModel {
  return {
    id: 'chat/scripted',
    accepts: new Set(['text', 'image']),
    async reply(request) {
      seen.push(request)
      const text = mind(request.messages.map(message => contentText(message.content)).join('\n'), request)
      return { text, calls: [], stop: 'end', usage: { inputTokens: 0, outputTokens: 0 }, model: 'scripted' }
    },
  }
}

// The letter under which the options of a request hold this text.
export function letterOf(asked: string, text: string): string {
  return new RegExp(`^([A-Z])\\. ${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'm').exec(asked)?.[1] ?? 'none'
}

export const unsure: Mind = () => 'I cannot tell.'
