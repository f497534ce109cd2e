// The same package in a newer version under another name: see sqlite.ts.
declare module 'better-sqlite3-napi' {
  import Database = require('better-sqlite3')
  export = Database
}
