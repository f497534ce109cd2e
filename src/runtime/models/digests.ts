import { basename } from 'node:path'
import { modelFolder } from '../../../models/hub/model-folder.ts'
import type { Host } from '../../core/backend.ts'
import { isCommit } from '../../core/model-names.ts'
import { servedModel } from './manager/state.ts'
import { type ModelWish, wantedModels } from './manager/wanted-models.ts'
import type { RoleChoices } from './role-families.ts'

// What the models of the roles are to the byte, where that is told without loading one: the commit of files from the hub, the
// digest that Ollama gives. A role whose models do not all tell is left out; nothing is guessed.
export async function modelDigests(choices: RoleChoices, host: Host): Promise<Record<string, string>> {
  const digestsByRole = new Map<string, (string | undefined)[]>()
  for (const model of await wantedModels(choices, host)) {
    const digest = await computeDigest(model, host)
    for (const role of model.roles) digestsByRole.set(role, [...(digestsByRole.get(role) ?? []), digest])
  }
  return Object.fromEntries(
    [...digestsByRole].flatMap(([role, digests]) => (digests.includes(undefined) ? [] : [[role, digests.join(', ')]])),
  )
}

async function computeDigest(model: ModelWish, host: Host): Promise<string | undefined> {
  if (model.kind === 'ollama') return (await servedModel(model, host)).found?.digest
  const folder = await modelFolder({ repository: model.name, revision: model.revision }, host)
  const commit = basename(folder ?? '')
  return isCommit(commit) ? `${model.name}@${commit}` : undefined
}
