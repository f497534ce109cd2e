// What a query needs, whether it is in a transaction or not. PostgreSQL's client and the one in the tests both fit.
export interface Sql {
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<QueryResult<Row>>
}

export interface QueryResult<Row> {
  rows: Row[]
  rowCount: number
}

// The database of a cluster (schema `longtake`; the engine keeps its own).
export interface Database extends Sql {
  transaction<T>(run: (sql: Sql) => Promise<T>): Promise<T>
  // Words told to everyone by NOTIFY; listening is optional for those who poll. Returns what ends it.
  listen(heard: (word: string) => void): Promise<() => Promise<void>>
  notify(word: string, sql?: Sql): Promise<void>
  close(): Promise<void>
}
