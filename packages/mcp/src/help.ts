export const help = `An MCP server for prices of AI models. A client such as Claude, Cursor or VS Code starts it and speaks with it
on stdin and stdout.

Usage:
  ratecard-mcp [--catalog FILE]

Options:
  --catalog FILE    prices of a snapshot: a file or an address, instead of those of the server
  --allow-http      the server may be another machine without TLS; the key then travels unencrypted
  --version         the version of this program
  --help            this text

Environment:
  RATECARD_BASE_URL              where your Ratecard is. Without it the prices are those that come with this program
  RATECARD_API_KEY               your key. Without it there are no changes
  RATECARD_MCP_REQUESTS_PER_DAY  how many requests of your quota it makes a day at most (default: 500)

Tools: search_prices, get_price, resolve_model, cost_of, list_changes. Only list_changes uses requests of your quota, one
for each new question; where the server does not serve /snapshot.json, prices use one for 500 records, then one an hour.
`
