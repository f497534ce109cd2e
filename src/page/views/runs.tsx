import type { ViewProps } from '../view.ts'

export default function Runs(_: ViewProps) {
  return <h1>Runs</h1>
}
