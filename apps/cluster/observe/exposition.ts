// The text format of Prometheus, version 0.0.4.

export interface MetricFamily {
  name: string
  type: 'counter' | 'gauge'
  help: string
  samples: readonly MetricSample[]
}

interface MetricSample {
  labels?: Readonly<Record<string, string>>
  value: number
}

export function gauge(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, type: 'gauge', help, samples }
}

export function counter(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name, type: 'counter', help, samples }
}

export function exposition(families: readonly MetricFamily[]): string {
  return families
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${numberText(value)}\n`)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, letter => (letter === '\n' ? '\\n' : `\\${letter}`))
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf'
}
