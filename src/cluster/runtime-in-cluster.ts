import type { createRuntime, OpenRuntime } from '../app/runtime.ts'
import { openTables } from './library/open-tables.ts'
import { pullShared } from './pull-shared.ts'

type Options = Parameters<typeof createRuntime>[0]

// The runtime of a machine of a cluster: results that others have made are pulled, and a search over all videos goes to the tables.
// Nothing is opened before it is needed.
export async function runtimeInCluster(create: typeof createRuntime, options: Options): Promise<OpenRuntime> {
  const { home, environment } = options
  const { settings } = options.config
  const ending = new AbortController()
  const pulling =
    settings.cluster.store === undefined
      ? undefined
      : pullShared({ home, settings, environment, signal: options.signal ?? ending.signal })
  const tables = openTables(settings.cluster, environment)
  const close = async () => {
    ending.abort()
    await pulling?.close()
    await tables.close()
  }
  try {
    const runtime = await create({
      ...options,
      ...(pulling && { shared: (video, watch) => pulling.shared(video, watch) }),
      searchTables: tables.search,
    })
    return {
      ...runtime,
      async close() {
        await runtime.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
