-- Whether deliveries carry the headers of Standard Webhooks beside ours. Off: who verifies ours needs no others.
alter table webhooks add column standard_headers boolean not null default false;
