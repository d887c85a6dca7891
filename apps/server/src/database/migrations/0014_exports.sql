-- The file of a source as it was taken in last, where its licence lets us hand its rows on: exports keep of it what is no
-- price.
create table source_files (
  source text primary key,
  -- Of the text.
  sha256 text not null,
  -- The text, packed with gzip.
  content bytea not null,
  read_at timestamptz not null
);

-- The price list in the forms that other programs load, and what says of them what they hold: made when the list moves.
create table export_files (
  name text primary key,
  -- What they were made of: the version of the list, the files of sources, the program.
  made_of text not null,
  -- Of the file as it is.
  sha256 text not null,
  bytes integer not null,
  gzip bytea not null,
  brotli bytea not null,
  made_at timestamptz not null default ratecard_now()
);
