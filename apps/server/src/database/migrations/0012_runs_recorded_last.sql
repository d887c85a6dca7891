-- A run is recorded when all is known of it, after what it wrote: its references are checked at the commit.
alter table prices alter constraint prices_run_id_fkey deferrable initially deferred;
alter table changes alter constraint changes_run_id_fkey deferrable initially deferred;
alter table feed_holds alter constraint feed_holds_run_id_fkey deferrable initially deferred;
