// Variables by which tools around this process are told to send what it does to a server, or to print it among the results.
// The libraries in here read them too: the question and the transcript would leave the machine without having been asked.
const tracing = /^(LANGSMITH|LANGCHAIN|OTEL)_/

export function forgetTracing(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (tracing.test(name)) delete environment[name]
}
