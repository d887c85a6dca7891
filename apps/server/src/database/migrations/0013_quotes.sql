-- What the seller's own document says of a resource, verbatim: its address, the SHA-256 of its bytes, when it was read, and
-- the rows with the bytes that hold them. Null: the source is a data file.
alter table feed_claims add column quotes jsonb;

-- The row of the document as it was when the change was published.
alter table change_evidence add column quote text;
