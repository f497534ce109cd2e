import type { ViewProps } from '../view.ts'

export default function Compare(_: ViewProps) {
  return <h1>Compare</h1>
}
