-- Whether the jobs up to lost_seq lost their session because it was dropped, rather than with its worker.
ALTER TABLE heddle.session_binding ADD COLUMN dropped integer NOT NULL DEFAULT 0;
