import { Refused } from '../../../src/core/api/problem.ts'
import type { Reports } from '../../../src/core/api/report.ts'

export const reportPath = (id: string) => `report ${id}`

// The self-contained report. It runs its own script and nothing else, in an origin of its own: it can neither read the page that shows
// it nor ask this server for anything.
export async function reportPage(reports: Reports, id: string): Promise<Response> {
  const page = await reports.page(id)
  if (!page) throw noReport()
  return new Response(page.html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${ownPolicy(page.policy)}; frame-ancestors 'self'; sandbox allow-scripts`,
      'x-frame-options': 'SAMEORIGIN',
    },
  })
}

// A report lies in a run folder, maybe a stranger's, and says itself which script and style are its own. Nothing else is taken from it.
export function ownPolicy(given: string): string {
  const hashes = ['script-src', 'style-src'].flatMap(name => {
    const [, hash] = new RegExp(`(?:^|; )${name} ('sha256-[A-Za-z0-9+/]{43}=')(?:;|$)`).exec(given) ?? []
    return hash === undefined ? [] : [`${name} ${hash}`]
  })
  return ["default-src 'none'", ...hashes, 'img-src data:', "base-uri 'none'", "form-action 'none'"].join('; ')
}

export function noReport(): Refused {
  return new Refused('unknown', 'There is no such report, or no such question in it.', 'GET /api/reports lists them.')
}
