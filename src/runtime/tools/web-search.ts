import { openWeb } from '../../../tools/web/index.ts'
import type { WebSettings } from '../../config/tool-settings.ts'
import { UsageError } from '../../core/errors.ts'
import type { WebSearcher } from '../../core/services.ts'
import type { NamedService } from '../../core/tool.ts'
import type { Models } from '../models/models.ts'

// The search engine that the settings name; its key comes from the environment and is written nowhere.
export async function webSearch(models: Models, settings: WebSettings): Promise<NamedService<WebSearcher>> {
  const { keyVariable, ...choice } = settings
  const { found } = await models.keep(`web ${JSON.stringify(settings)}`, async ({ environment }) => {
    const key = keyVariable ? environment[keyVariable] : undefined
    if (keyVariable && !key)
      throw new UsageError(`tools.web.keyVariable names ${keyVariable}, which is not set.`, {
        hint: `Set it before you start: export ${keyVariable}=...`,
      })
    return { found: await openWeb({ ...choice, key }), close: async () => {} }
  })
  return found
}
