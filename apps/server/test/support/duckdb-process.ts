import process from 'node:process'
import { DuckDBInstance } from '@duckdb/node-api'

// DuckDB's command line as far as documents use it: `duckdb -c SQL`.

const [option, query = ''] = process.argv.slice(2)
if (option !== '-c') throw new Error(`"${option}" is no option here.`)
const connection = await (await DuckDBInstance.create(':memory:')).connect()
console.log((await connection.runAndReadAll(query)).getRowObjectsJS())
