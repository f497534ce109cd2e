import { stageNamed } from './stage-names.ts'

// What a stage of the indexing does, for people, on the page and on the command line. Several stages build what is searched.
const titles: Record<string, string> = {
  decode: 'reading frames',
  subtitles: 'reading subtitles',
  speech: 'transcribing',
  voices: 'comparing voices',
  speakers: 'telling speakers apart',
  text: 'reading text',
  sounds: 'recognising sounds',
  captions: 'describing scenes',
  faces: 'finding faces',
  people: 'finding people',
  vectors: 'building search',
  'vector-index': 'building search',
  'text-vectors': 'building search',
  'full-text': 'building search',
  overview: 'writing the overview',
  story: 'writing the overview',
}

export function stageTitle(stage: string): string {
  return titles[stageNamed(stage)] ?? stage
}

const states: Record<string, string> = {
  done: 'done',
  reused: 'already done',
  failed: 'failed',
  skipped: 'not used',
  waiting: 'waiting',
}

export function stageStateTitle(state: string): string {
  return states[state] ?? state
}
