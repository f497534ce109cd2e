import type { Config } from '../../../src/config/schema.ts'
import type { ChatModel, Modality } from '../../../src/core/chat.ts'
import { UsageError } from '../../../src/core/errors.ts'
import type { MakeRole } from '../../recipes/item.ts'

// Refuses a model that does not take what its role is shown. Rules read what the agent puts beside a prompt, and nothing is beside these.
export function checkFits(role: MakeRole, settings: Config, { id, accepts }: ChatModel): void {
  const settingName = roleSetting(role, settings)
  const leave =
    settingName === 'models.vision' ? 'Make without it: --set make.look.backend=off' : `Leave make.${role} out`
  const hint = `${leave}: ${withoutIt[role] ?? 'its checks are then not run, and the card says so'}.`
  if (!accepts.has('text'))
    throw new UsageError(`${settingName} must be a model that reads text, and ${id} reads none.`, { hint })
  const shownKind = isShown[role]
  if (shownKind && !accepts.has(shownKind.as))
    throw new UsageError(`${settingName} must be a model that takes ${shownKind.what}, and ${id} takes none.`, {
      hint: `If it does, add "${shownKind.as}" to its setting "accepts". ${hint}`,
    })
}

// Which setting fills the role.
export function roleSetting(role: MakeRole, { make }: Pick<Config, 'make'>): string {
  return role === 'look' && make.look === undefined ? 'models.vision' : `make.${role}`
}

const withoutIt: Partial<Record<MakeRole, string>> = {
  author: 'then the rules of the recipe write',
  look: 'nobody then looks, and the card says so',
  listen: 'nobody then listens, and the card says so',
}

const isShown: Partial<Record<MakeRole, { what: string; as: Modality }>> = {
  look: { what: 'pictures', as: 'image' },
  glance: { what: 'pictures', as: 'image' },
  listen: { what: 'sound', as: 'audio' },
}
