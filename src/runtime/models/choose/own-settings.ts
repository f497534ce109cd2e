import { leavesOf, type SettingsLayer, settingAt, type Tree } from '../../../config/tree.ts'
import { isObject } from '../../../core/json.ts'
import type { Role } from '../../../core/services.ts'

// What layers of settings say of the roles: those that they fill, and models that they name for the others.
export interface OwnSettings {
  isFree(role: Role): boolean
  model(role: Role): string | undefined
}

export function userSettings(layers: readonly SettingsLayer[]): OwnSettings {
  const of = (role: Role) => layers.map(({ values }) => settingAt(values, ['models', role]))
  return {
    isFree: role => !of(role).some(set => typeof set === 'string' || (isObject(set) && set.backend !== undefined)),
    model: role =>
      of(role)
        .flatMap(set => (isObject(set) && typeof set.model === 'string' ? [set.model] : []))
        .at(-1),
  }
}

// What was chosen for the roles, as a layer of settings; none if nothing was.
export function chosenLayer(models: object, place: string): SettingsLayer | undefined {
  if ([...leavesOf(models as Tree)].length === 0) return undefined
  return { name: 'chosen', values: { models: models as Tree }, place: () => place }
}
