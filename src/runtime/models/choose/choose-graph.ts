import type { ResolvedConfig } from '../../../config/resolve.ts'
import type { Config } from '../../../config/schema.ts'
import type { RoleChoice } from '../role-families.ts'

const capableFrom = 8 // billions of parameters
const plannerFrom = 3

type Planner = 'capable' | 'toolless' | 'usual' | 'small' | 'rules'

const graphs: Record<Planner, string> = {
  capable: 'converse',
  toolless: 'investigate',
  usual: 'investigate',
  small: 'retrieve-and-write',
  rules: 'investigate',
}

// The graph that `graph: auto` stands for: capable models that call tools answer in one conversation, small ones put into words what rules found,
// and all others follow the policies of the firm graph.
export function withGraph(config: ResolvedConfig): ResolvedConfig {
  const { settings } = config
  if (settings.graph !== 'auto') return config
  return { ...config, settings: { ...settings, graph: graphFor(settings.models.planner) } }
}

export function graphFor(planner: RoleChoice): string {
  return graphs[describePlanner(planner)]
}

function describePlanner(planner: RoleChoice): Planner {
  const { backend, folder, file } = planner
  const model = folder && file ? file : planner.model // in a folder of one's own the name of the file says what it is
  if (['rules', 'off'].includes(backend) || typeof model !== 'string') return 'rules'
  const size = parseBillions(model)
  if (size !== undefined && size < plannerFrom) return 'small'
  if (!isCapable(model)) return 'usual'
  return callsTools(planner) ? 'capable' : 'toolless'
}

// `toolMode` is "schema" where a trial or the server said that the model calls no tools, and where somebody set it.
function callsTools({ toolMode = 'auto' }: RoleChoice): boolean {
  return toolMode === 'auto' || toolMode === 'native'
}

// By the size that the name says, else by the families whose members are all large.
export function isCapable(model: string): boolean {
  const size = parseBillions(model)
  return size === undefined ? largeFamilies.test(model.toLowerCase()) : size >= capableFrom
}

function parseBillions(model: string): number | undefined {
  const name = model.toLowerCase()
  const [, size, unit] = /(?<![a-z0-9.])e?(\d+(?:\.\d+)?)(b|m)(?![a-z0-9])/.exec(name) ?? []
  return size === undefined ? undefined : Number(size) / (unit === 'm' ? 1000 : 1)
}

const largeFamilies =
  /(?:^|[/:])(?:gpt-[4-9]|o[1-9](?:-|$)|claude|gemini|grok|glm-[4-9]|kimi|deepseek-(?:v|r|chat|reasoner)|mistral-(?:large|medium)|qwen[\d.]*-(?:max|plus)|command-a)/

const ways: Record<Exclude<Planner, 'rules'>, string> = {
  capable: 'it is large and calls tools, so it answers in one conversation (graph converse)',
  toolless:
    'its server takes no tool calls, so code steers the search and checks (graph investigate; --graph converse overrides it)',
  usual: 'it is below 8B or of unknown size, so code steers the search and checks (graph investigate)',
  small: 'it is below 3B, so rules search and check and it puts what they found into words (graph retrieve-and-write)',
}

// For who named a model: how it answers, and what a higher effort would add and cost.
export function effortAdvice(asked: ResolvedConfig, chosen: ResolvedConfig): string | undefined {
  const { model } = asked.settings
  if (model === undefined || model === 'off') return undefined
  const { models, budget, effort, index } = chosen.settings
  const planner = describePlanner(models.planner)
  if (planner === 'rules') return undefined
  const how = asked.settings.graph === 'auto' ? `${models.planner.model}: ${ways[planner]}. ` : ''
  if (effort === 'high' || effort === 'max') return how.trim() || undefined
  const extras = [
    ...(models.vision.backend !== 'off' && index.captions.mode === 'off' ? ['captions'] : []),
    ...(typeof models.writer.model === 'string' && index.overview === 'extract' ? ['a written overview'] : []),
  ].join(' and ')
  const extraCost =
    extras && `${extras} of each video ("longtake index VIDEO --effort high --dry-run" says what they cost), `
  return `${how}--effort high adds ${extraCost}up to 512 frames and 400,000 tokens${describePrice(chosen.settings)} a question (now ${budget.frames} and ${budget.tokens.toLocaleString('en-US')})`
}

function describePrice({ prices, models }: Config): string {
  const { backend, model } = models.planner as { backend: string; model?: string }
  const price = prices[`${backend}/${model}`] ?? prices[backend]
  return price ? `, at most ${((Math.max(price.input, price.output) * 400_000) / 1e6).toFixed(2)} by your prices,` : ''
}
