import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder, writeDurably } from '../durable.ts'
import { parseStoredJson, readTextFile } from '../read-file.ts'

// What `longtake setup` was told and has not done yet, so that it goes on after a kill. Undefined: nothing is left over.
export async function readSetupChoice(home: string): Promise<unknown> {
  return parseStoredJson(await readTextFile(choiceFile(home)))
}

export async function keepSetupChoice(home: string, choice: object): Promise<void> {
  await ensureFolder(join(home, 'models'))
  await writeDurably(choiceFile(home), `${JSON.stringify(choice)}\n`)
}

export async function forgetSetupChoice(home: string): Promise<void> {
  await rm(choiceFile(home), { force: true })
}

function choiceFile(home: string): string {
  return join(home, 'models', 'setup.json')
}
