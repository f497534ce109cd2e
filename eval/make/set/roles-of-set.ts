import { join } from 'node:path'
import { UsageError } from '../../../src/core/errors.ts'
import { indentedJson } from '../../../src/core/json.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { openJsonLines } from '../../../src/store/json-lines.ts'
import { copyFolder } from '../../../src/store/place-file.ts'
import { parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'
import { listSecrets, redactor } from '../../../src/store/redact.ts'
import { type OpenRoles, openRoles, type RecordedRole, type RolesWish } from '../machine/roles.ts'
import type { MakeRequest, MakeWorld } from '../request.ts'
import { writeInto } from './write-set.ts'

const rolesFile = 'made/roles.json'

// The models of a set: those of the settings, or of the set that is replayed. made/roles.json keeps who they are.
export async function chooseSetRoles(
  request: MakeRequest,
  runtime: LocalRuntime,
  { environment }: MakeWorld,
  answer: RolesWish['answer'],
): Promise<OpenRoles> {
  const { out: folder, replay, dryRun } = request
  const log = dryRun ? undefined : await openJsonLines(join(folder, 'made', 'log.jsonl'), 'at-flush')
  if (replay !== undefined) await copyFolder(join(replay, 'made', 'calls'), join(folder, 'made', 'calls'))
  const recorded = replay === undefined ? undefined : parseStoredJson(await readTextFile(join(replay, rolesFile)))
  if (replay !== undefined && recorded === undefined)
    throw new UsageError(`${join(replay, rolesFile)} is not there or damaged, so it is not known who was asked.`, {
      hint: 'Replay a whole set; make the set again without --replay.',
    })
  const opened = await openRoles({
    runtime,
    folder: join(folder, 'made', 'calls'),
    ...(recorded !== undefined && { recorded: recorded as Record<string, RecordedRole[]> }),
    redact: redactor(listSecrets(environment)),
    answer,
    onCall: call => void log?.append(call),
  })
  const recordedRoles: Record<string, RecordedRole[]> = {}
  for (const [role, models] of Object.entries(opened.models))
    recordedRoles[role] = models.map(({ id, identity }) => ({ id, identity }))
  if (!dryRun) await writeInto(folder, rolesFile, indentedJson(recordedRoles))
  return opened
}
