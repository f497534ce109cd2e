import type { ViewProps } from '../view.ts'

export default function Report(_: ViewProps) {
  return <h1>Report</h1>
}
