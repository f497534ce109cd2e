import type { RunReport } from '../run-report.ts'
import { chartTools } from './charts.ts'
import { elementTools } from './elements.ts'
import { framedPage } from './frame.ts'
import { buildPage } from './page.ts'
import { type PageData, pageData } from './page-data.ts'
import { sampleTools } from './samples.ts'
import { style } from './style.ts'

export { inScript } from './frame.ts'

// The report of runs as one file that opens offline.
export async function html(reports: readonly RunReport[]): Promise<string> {
  return pageOf(await pageData(reports))
}

export function pageOf(data: PageData): string {
  return framedPage({ title: 'longtake bench report', style, code: script(), data })
}

// The functions are written and checked as code, and run in the browser from their text. Some compilers mark the names of inner
// functions through a helper that a browser does not have.
function script(): string {
  return [
    '"use strict";',
    'const __name = made => made;',
    `const elements = (${elementTools})(document);`,
    `(${buildPage})(document, JSON.parse(document.getElementById("data").textContent), elements, (${chartTools})(elements), (${sampleTools})(elements));`,
  ].join('\n')
}
