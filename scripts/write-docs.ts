import { readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Route } from '../src/core/api/routes.ts'

const root = new URL('..', import.meta.url).pathname

// The pages whose blocks between "<!-- name: value -->" and "<!-- end -->" are made from the code.
export const pages = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...['docs/agent.md', 'docs/library.md', 'docs/models.md', 'docs/server.md', 'docs/settings.md', 'docs/tools.md'],
]

const fences: Record<string, string> = { '.mjs': 'js', '.patch': 'diff' }

const makers: Record<string, (value: string) => Promise<string>> = {
  example: async path => `\`\`\`${fences[extname(path)] ?? 'ts'}\n${readFileSync(join(root, path), 'utf8')}\`\`\``,
  options: async () => (await import('../src/config/settings-markdown.ts')).optionTable(),
  policies: policyTable,
  tiers: tierTable,
  routes: routeTable,
  testNeeds: async () => (await import('./test-needs.ts')).testNeedsTable(),
  graph: async name => `\`\`\`mermaid\n${(await (await import('../graphs/index.ts')).drawGraph(name)).trim()}\n\`\`\``,
}

// The API, as the server mounts it.
async function routeTable(): Promise<string> {
  const { routes } = await import('../src/core/api/routes.ts')
  const rows = Object.values<Route>(routes).map(({ method, path, query, body, summary }) => {
    const [asked, sent] = [query, body].map(shape =>
      shape === 'bytes' ? ['the file'] : Object.keys(shape?.shape ?? {}),
    )
    const call = `${method} /api${path.replace(/:(\w+)/g, (_, name: string) => name.toUpperCase())}`
    return `| \`${call}${asked?.length ? `?${asked.join('&')}` : ''}\`${sent?.length ? ` {${sent.join(', ')}}` : ''} | ${summary} |`
  })
  return ['| route | does |', '| --- | --- |', ...rows].join('\n')
}

// What each policy says of itself, above its export.
async function policyTable(): Promise<string> {
  const { fileOfPolicy } = await import('../graphs/policies.ts')
  const { policyNames } = await import('../src/core/settings.ts')
  const rows = policyNames.map(name => {
    const file = `graphs/policies/${fileOfPolicy(name)}`
    const [, comment = ''] = /((?:^\/\/.*\n)*)^export default \{/m.exec(readFileSync(join(root, file), 'utf8')) ?? []
    return `| \`${name}\` | \`${file}\` | ${comment
      .replace(/^\/\/ /gm, '')
      .trim()
      .replaceAll('\n', ' ')} |`
  })
  return ['| switch | file | what the code does |', '| --- | --- | --- |', ...rows].join('\n')
}

// The models of each tier, from the data file itself.
async function tierTable(): Promise<string> {
  const { tierDownload, tierNames, tierModels, tiers } = await import('../src/config/tiers.ts')
  const roleText = (roles: readonly string[]) =>
    roles.includes('planner') ? 'chat, vision, judge' : roles.map(role => `\`${role}\``).join(', ')
  const tables = tierNames.map(name => {
    const rows = tierModels(name).map(({ model, roles }) => {
      const { backend, model: id = '', precision = '' } = model.use as Record<string, string>
      const set = [backend, id, precision].filter(Boolean).join(' ')
      const cells = [roleText(roles), model.what, `\`${set}\``, `${model.download} GB`, `${model.memory} GB`]
      return `| ${[...cells, model.licence, `${model.seen}, ${model.day}`, model.note ?? ''].join(' | ')} |`
    })
    return [
      `**${name}**: ${tiers[name].about}; about ${tierDownload(name)} GB to fetch`,
      '',
      '| roles | model | backend and model | download | memory | licence | seen | note |',
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
  })
  return tables.join('\n\n')
}

// The page as it should be.
export async function current(page: string): Promise<string> {
  const text = readFileSync(join(root, page), 'utf8')
  const parts: string[] = []
  let at = 0
  for (const block of text.matchAll(/(<!-- (\w+): (.*?) -->\n)(?:[\s\S]*?<!-- end -->\n)?/g)) {
    const [whole, opening = '', name = '', value = ''] = block
    const make = makers[name]
    if (!make) throw new Error(`${page} has a block of an unknown kind: ${opening.trim()}`)
    parts.push(text.slice(at, block.index), opening, await make(value), '\n<!-- end -->\n')
    at = block.index + whole.length
  }
  return [...parts, text.slice(at)].join('')
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const page of pages) writeFileSync(join(root, page), await current(page))
}
