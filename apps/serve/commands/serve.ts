import type { Call } from '../../../src/cli/call.ts'
import type { CommandRun } from '../../../src/cli/command.ts'
import { fromPackage, isMissing } from '../../../src/cli/packages.ts'
import { startedBy } from '../../../src/cli/started-by.ts'
import { version } from '../../../src/cli/version.ts'
import type { ResolvedConfig } from '../../../src/config/resolve.ts'
import type { Reports } from '../../../src/core/api/report.ts'
import { once } from '../../../src/core/basics/once.ts'
import { whenAborted } from '../../../src/core/basics/signals.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { builtFolder } from '../../../src/core/machine/built-folder.ts'
import { safeJson } from '../../../src/core/words/visible-text.ts'
import type { openPage } from '../../../src/runtime/open-page.ts'
import type { LocalRuntime } from '../../../src/runtime/runtime.ts'
import { runLister, type StoredRun } from '../../../src/store/run/run-folder.ts'
import { writeServeAddress } from '../../../src/store/serve/serve-address.ts'
import { readServeToken } from '../../../src/store/serve/serve-token.ts'
import type { RunningServer } from '../server/serve.ts'
import { newToken } from '../server/sign.ts'

const minKey = 16 // characters

// Serves until it is interrupted.
export const serve: CommandRun = async call => {
  const config = await call.settings()
  const [{ isLoopbackHost: isLoopback }, { startServer: start }] = await Promise.all([
    import('../server/listen.ts'),
    import('../server/serve.ts'),
  ])
  const host = call.text('--host') ?? '127.0.0.1'
  const trusted = call.list('--trust-host')
  const key = readKey(call, config.settings.serve.keyVariable)
  if (!isLoopback(host) && (key === undefined || trusted.length === 0))
    throw new UsageError(`At ${host} other machines could reach this server.`, {
      hint: 'Set serve.keyVariable to the variable with a key, and name this machine with --trust-host NAME.',
    })
  const port = call.integer('--port', 0, 65_535) ?? config.settings.serve.port
  const { createRuntime } = await import('../../../src/runtime/runtime.ts')
  const { home, environment, say } = await call.host()
  const exceeded = (error: Error) => call.world.exceeded?.(error)
  const runs = runLister(home)
  const parts = { home, environment, program: startedBy(), version: version(), runs, reports: lazyReports(runs), say }
  const openRuntime = (chosen: ResolvedConfig) => createRuntime({ config: chosen, home, environment, say, exceeded })
  let current: Current | undefined = { config, runtime: await openRuntime(config) }
  for (let launched = 0; current; ) {
    const { runtime } = current
    try {
      const isFirst = launched === 0
      let restart: (next: Current | undefined) => void = () => {}
      const replaced = new Promise<Current | undefined>(resolve => {
        restart = resolve
      })
      const serving = await start({
        ...{ ...parts, ...current, host, trusted },
        port: isFirst ? port : launched,
        credentials: {
          token: () => readServeToken(home, newToken, { renew: isFirst && call.has('--new-token') }),
          key,
        },
        page: builtFolder(import.meta.url, 'page'),
        folders: call.arguments,
        profiles: {
          started: config.settings.profile,
          open: openRuntime,
          restart: (config, runtime) => setTimeout(restart, replySeconds * 1000, { config, runtime }),
        },
      })
      const { url } = serving
      launched = Number(new URL(url).port || 80)
      const forget = await writeServeAddress(home, url)
      const opened = isFirst ? await launch(call, serving) : undefined
      whenAborted(call.signal, () => restart(undefined))
      current = await replaced
      await opened?.close()
      await forget()
      await serving.close()
    } finally {
      await runtime.close()
    }
  }
  return 0
}

interface Current {
  config: ResolvedConfig
  runtime: LocalRuntime
}

const replySeconds = 0.1 // that the reply to who chose another profile may take to leave

// Says where it serves, and opens that if it is wanted.
async function launch(call: Call, { url, token }: RunningServer) {
  const { home, environment, say } = await call.host()
  const addresses = { api: `${url}/api`, openai: `${url}/v1`, mcp: `${url}/mcp` }
  const pageUrl = `${url}/#token=${token}`
  if (call.json)
    call.terminal.out(`${safeJson({ schemaVersion: 1, event: 'launch', url: pageUrl, ...addresses, token })}\n`)
  else
    call.terminal.out(
      `longtake serves at\n  ${pageUrl}\nAPI ${addresses.api}, model ${addresses.openai}, MCP ${addresses.mcp}. Ctrl-C ends it.\n`,
    )
  return call.has('--open') ? open(home, pageUrl, environment, say) : undefined
}

async function open(...[home, url, environment, say]: [...Parameters<typeof openPage>, say: (line: string) => void]) {
  const { openPage } = await import('../../../src/runtime/open-page.ts')
  const page = await openPage(home, url, environment)
  if (!page.opened) say('No program to open a browser with was found: open the address yourself.')
  return page
}

function readKey(call: Call, variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined
  const key = call.world.environment[variable]
  if (key !== undefined && key.length >= minKey) return key
  throw new UsageError(`serve.keyVariable names ${variable}, which holds no key of ${minKey} characters or more.`, {
    hint: `Set it before the start: export ${variable}=...`,
  })
}

const loadReports = () => fromPackage('longtake-eval', 'A report of an evaluation', () => import('longtake-eval'))

// The reports of benchmarks and ablations for the server. Nothing of an evaluation is loaded before one is asked for.
function lazyReports(runs: () => Promise<StoredRun[]>): Reports {
  const open = once(async () => (await loadReports()).openReports(runs))
  return {
    list: () => open().then(reports => reports.list(), noneIfMissing),
    details: async (...asked) => (await open()).details(...asked),
    question: async (...asked) => (await open()).question(...asked),
    page: async report => (await open()).page(report),
  }
}

// Without the package of evaluations the server lists none, and does the rest of its work.
function noneIfMissing(error: unknown): [] {
  if (error instanceof UsageError && isMissing('longtake-eval', error.cause)) return []
  throw error
}
