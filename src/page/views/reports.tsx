import type { ViewProps } from '../view.ts'

export default function Reports(_: ViewProps) {
  return <h1>Reports</h1>
}
