import { signal } from '@preact/signals'
import type { ReplyTo } from './api.ts'

export type AnsweringChoice = ReplyTo<'GET /answering'>['choices'][number]

const name = 'longtake-answering'

// Who answers the questions of this browser; undefined: as the server was started. Each question names it, so the server stays
// as it is.
export const answering = signal(read())

export function chooseAnswering(choice: AnsweringChoice): void {
  answering.value = Object.keys(choice.settings).length === 0 ? undefined : choice
  if (answering.value) localStorage.setItem(name, JSON.stringify(choice))
  else localStorage.removeItem(name)
}

function read(): AnsweringChoice | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '') as AnsweringChoice
  } catch {
    return undefined
  }
}
