import { elementTools } from '../../../report/html/elements.ts'
import { framedPage } from '../../../report/html/frame.ts'
import { style } from '../../../report/html/style.ts'
import type { StudyPage } from '../page-data.ts'
import { studyChartTools } from './charts.ts'
import { flipTools } from './flips.ts'
import { buildStudyPage } from './page.ts'
import { studyStyle } from './style.ts'

// The page of a study as one file that opens offline.
export function studyHtml(data: StudyPage): string {
  const code = [
    '"use strict";',
    'const __name = made => made;',
    `const elements = (${elementTools})(document);`,
    `(${buildStudyPage})(document, JSON.parse(document.getElementById("data").textContent), elements, (${studyChartTools})(elements), (${flipTools})(elements));`,
  ].join('\n')
  return framedPage({ title: 'longtake ablation', style: style + studyStyle, code, data })
}
