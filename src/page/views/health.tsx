import type { ViewProps } from '../view.ts'

export default function Health(_: ViewProps) {
  return <h1>Health</h1>
}
