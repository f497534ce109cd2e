import type { ViewProps } from '../view.ts'

export default function Run(_: ViewProps) {
  return <h1>Run</h1>
}
