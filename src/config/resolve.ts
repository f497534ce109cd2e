import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { absentAs, UsageError, unknownName } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import { isBuilt } from '../core/machine/native-packages.ts'
import { removedPolicySettings, removedRoles, stillSets } from '../core/settings.ts'
import { type Effort, effortNames, effortSettings } from './efforts.ts'
import { explainSettingIssue } from './explain.ts'
import { rootPaths } from './layers/absolute-paths.ts'
import { ownerFault, readLayer } from './layers/file-layer.ts'
import { foundFile, type SelfContained } from './layers/found-file.ts'
import { addDefaultOrigins, mergeLayers } from './layers/merge.ts'
import { environmentLayer, type Flags, flagLayer } from './layers/typed-layers.ts'
import { type ProfileName, profileNames, profileSettings, profiles } from './profiles.ts'
import { Config } from './schema.ts'
import { type Origin, type Origins, type SettingsLayer, settingAt, type Tree } from './tree.ts'

export interface ConfigSources {
  cwd: string
  environment: Readonly<Record<string, string | undefined>>
  file?: string // --config
  given?: { values: Tree; place: string } // by a program that uses the library; it wins over the environment
  search?: boolean // read `own`, and look for longtake.config.json in the working folder and above; on where it is left out
  own?: readonly string[] // the user's own settings files, which may set everything; the last one wins
  selfContained?: SelfContained // which backends a found file may choose; none if it is left out
  flags?: Flags
}

// Every setting with its value and where it comes from.
export interface ResolvedConfig {
  settings: Config
  origins: Origins
  file?: string // the settings file that was read
  notices: readonly string[] // what a found settings file set and was not let, a line for the user each
  layers: readonly SettingsLayer[] // what was set, without the profile: `withChosen` lays them over another one
  chosen?: Chosen // what was found out here for the roles; none: it is still to be done
}

// What "auto", "model" and "server" stand for here.
export interface Chosen {
  name: 'auto' | ProfileName
  why: string
  over?: SettingsLayer // laid over the profile
  word?: SettingsLayer // laid below the layer that sets `model`
  inherited?: SettingsLayer // of `server`, on top: it sets nothing that is set
}

// default < profile < effort < stills < install < own files < file < environment < flags. While the profile is "auto", the roles are those of `embedded`
// until `withChosen` says which one it is.
export async function resolveConfig(sources: ConfigSources): Promise<ResolvedConfig> {
  const { given, search = true, cwd, own = [], selfContained = async () => false } = sources
  const below: SettingsLayer[] = [
    ...(isBuilt('hnswlib-node') ? [] : [withoutHnsw]),
    ...(search ? await ownLayers(own) : []),
  ]
  const above: SettingsLayer[] = [
    environmentLayer(sources.environment),
    ...(given ? [{ name: 'flag' as const, values: given.values, place: () => given.place }] : []),
    flagLayer(sources.flags ?? {}),
  ].map(layer => ({ ...layer, values: rootPaths(layer.values, cwd) }))
  const searchedFile =
    search && sources.file === undefined
      ? await foundFile(cwd, own, selfContained, buildLimits(below, above))
      : undefined
  const file = sources.file === undefined ? searchedFile?.layer : await readLayer(resolve(cwd, sources.file))
  const layers: SettingsLayer[] = [...below, ...(file ? [file] : []), ...above]
  const current = withoutRemoved(layers)
  const profile = chosenProfile(current.layers)
  const notices = [...(searchedFile?.notices ?? []), ...current.notices]
  return build(current.layers, profile, { file: file?.place([]), notices })
}

// What a found file raises nothing above: the user's own limits, also those that their effort and profile stand for.
function buildLimits(below: readonly SettingsLayer[], above: readonly SettingsLayer[]): Tree {
  const { profile } = mergeLayers([...below, ...above]).values
  const values =
    typeof profile === 'string' && Object.hasOwn(profileSettings, profile)
      ? profileSettings[profile as ProfileName]
      : undefined
  const chosen: SettingsLayer[] = values ? [{ name: 'profile', values, place: () => `profile ${profile}` }] : []
  return mergeLayers([...chosen, ...effortLayer([...below, ...above]), ...stillsLayer(below), ...below]).values
}

// The default of a setting whose usual backend need not be installed.
const withoutHnsw: SettingsLayer = {
  name: 'install',
  values: { index: { vectors: 'exact' } },
  place: () => 'hnswlib-node is not installed',
}

// The user's own settings, in the order given. Another user who could write there would have their powers.
async function ownLayers(own: readonly string[]): Promise<SettingsLayer[]> {
  const layers: SettingsLayer[] = []
  for (const path of own) {
    const stats = await stat(path).catch(absentAs(undefined))
    if (!stats?.isFile()) continue
    const fault = ownerFault(path, stats)
    if (fault)
      throw new UsageError(`Your settings file ${path} is not read: ${fault}.`, {
        hint: `Check its content, then run: chmod go-w ${path}`,
      })
    layers.push(await readLayer(path))
  }
  return layers
}

// The same settings as if they had been asked for with this profile.
export function withAskedProfile(config: ResolvedConfig, profile: 'auto' | ProfileName, place: string): ResolvedConfig {
  const profileLayer: SettingsLayer = { name: 'flag', values: { profile }, place: () => place }
  return build([...config.layers, profileLayer], profile, config)
}

// The same settings with what was chosen for the roles, over the profile that "auto" stands for.
export function withChosen(config: ResolvedConfig, chosen: Chosen): ResolvedConfig {
  const built = build(config.layers, chosen.name, config, chosen)
  const origin: Origin = { layer: 'profile', place: config.settings.profile }
  return { ...built, origins: new Map(built.origins).set('profile', origin), chosen }
}

function build(
  layers: readonly SettingsLayer[],
  profile: 'auto' | ProfileName,
  { file, notices }: Pick<ResolvedConfig, 'file' | 'notices'>,
  { over, word, inherited }: Pick<Chosen, 'over' | 'word' | 'inherited'> = {},
): ResolvedConfig {
  const at = wordLayer(layers)
  const userLayers = word ? [...layers.slice(0, at), word, ...layers.slice(at)] : layers
  const below = [profileLayer(profile, over !== undefined), ...(over ? [over] : [])]
  const above = [...stillsLayer(layers), ...userLayers, ...(inherited ? [inherited] : [])]
  const all = [...below, ...effortLayer([...below, ...above]), ...above]
  const { values, origins } = mergeLayers(all)
  const parsed = Config.safeParse(values)
  if (!parsed.success) throw explainSettingIssue(parsed.error, values, origins)
  return {
    settings: { ...parsed.data, profile },
    origins: addDefaultOrigins(origins, parsed.data),
    file,
    notices,
    layers,
  }
}

// The layer whose `model` counts: roles that are set there or above are not filled by it. -1: none has one.
export function wordLayer(layers: readonly SettingsLayer[]): number {
  return layers.findLastIndex(layer => layer.values.model !== undefined)
}

function chosenProfile(layers: readonly SettingsLayer[]): 'auto' | ProfileName {
  const chosen = mergeLayers(layers).values.profile ?? 'auto'
  if (chosen === 'auto' || profileNames.includes(chosen as ProfileName)) return chosen as ProfileName
  const origin = layers.findLast(layer => layer.values.profile !== undefined)?.place(['profile'])
  const { message, hint } = unknownName('profile', typeof chosen === 'string' ? chosen : JSON.stringify(chosen), [
    'auto',
    ...profileNames,
  ])
  throw new UsageError(`${message.slice(0, -1)} in ${origin}.`, { hint })
}

function profileLayer(profile: 'auto' | ProfileName, isChosen: boolean): SettingsLayer {
  const until = isChosen ? 'profile embedded, for what auto has not found' : 'profile embedded, until auto has chosen'
  const origin = profile === 'auto' ? until : `profile ${profile}`
  const name = profile === 'auto' ? 'embedded' : profile
  return { name: 'profile', values: { ...profileSettings[name], models: profiles[name] }, place: () => origin }
}

// What the chosen effort sets of the index follows from the roles that are filled.
function effortLayer(layers: readonly SettingsLayer[]): SettingsLayer[] {
  const { values: settings } = mergeLayers(layers)
  const { effort } = settings
  if (!effortNames.includes(effort as Effort)) return []
  const sees = !['off', undefined].includes(settingAt(settings, ['models', 'vision', 'backend']) as string | undefined)
  const writes = typeof settingAt(settings, ['models', 'writer', 'model']) === 'string' // rules name none
  const values = effortSettings(effort as Effort, { sees, writes })
  return [{ name: 'effort', values, place: () => `effort ${effort}` }]
}

function stillsLayer(layers: readonly SettingsLayer[]): SettingsLayer[] {
  const chosen = settingAt(mergeLayers(layers).values, ['index', 'stills'])
  if (typeof chosen !== 'string' || !Object.hasOwn(stillSets, chosen)) return []
  const values: Tree = { index: { ...stillSets[chosen as keyof typeof stillSets] } }
  return [{ name: 'stills', values, place: () => `index.stills ${chosen}` }]
}

const removedSettings = { policy: removedPolicySettings, models: removedRoles }

// Layers without the settings of policies and roles that were removed, and a line for the user on each layer that has some: files and
// runs of older releases name them, and go on.
function withoutRemoved(layers: readonly SettingsLayer[]): { layers: SettingsLayer[]; notices: string[] } {
  const notices: string[] = []
  const cleaned = layers.map(withoutAutoEffort).map(layer => {
    const values = { ...layer.values }
    const removed: { path: [string, string]; why?: string }[] = []
    for (const [section, reasons] of Object.entries(removedSettings)) {
      const settings = values[section]
      if (!isObject(settings)) continue
      const names = Object.keys(settings).filter(name => Object.hasOwn(reasons, name))
      removed.push(...names.map(name => ({ path: [section, name] as [string, string], why: reasons[name] })))
      values[section] = Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)))
    }
    const [first] = removed
    if (!first) return layer
    const named = removed.map(({ path, why }) => `${path.join('.')} (${why})`).join(', ')
    notices.push(`Settings that were removed have no effect in ${layer.place(first.path)}: ${named}. Leave them out.`)
    return { ...layer, values }
  })
  return { layers: cleaned, notices }
}

// "auto" was what medium is, which is the default.
function withoutAutoEffort(layer: SettingsLayer): SettingsLayer {
  if (layer.values.effort !== 'auto') return layer
  const { effort: _, ...values } = layer.values
  return { ...layer, values }
}
