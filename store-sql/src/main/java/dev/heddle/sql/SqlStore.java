package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Retention;
import dev.heddle.store.Ruling;
import dev.heddle.store.Saved;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Tally;

/** The part of a store that is the same in every SQL database. */
public abstract class SqlStore implements Store {

    /** Something to do with a connection. */
    public interface Work<T> {
        T run(Session session) throws SQLException;
    }

    /** One transaction: all of the work is durable when this returns, or none of it has happened. */
    protected abstract <T> T write(Work<T> work);

    protected abstract <T> T read(Work<T> work);

    @Override
    public Ruling execute(Command command) {
        return write(session -> Commands.execute(session, command));
    }

    @Override
    public Saved saved(long seq) {
        return read(session -> Saves.load(session, seq));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return read(session -> Reads.find(session, id));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return read(session -> Reads.list(session, query));
    }

    @Override
    public Optional<Story> story(JobId id) {
        return read(session -> Reads.story(session, id));
    }

    @Override
    public Tally tally() {
        return read(Reads::tally);
    }

    @Override
    public List<NodeRecord> nodes() {
        return read(Reads::nodes);
    }

    @Override
    public int prune(Retention retention, Instant now) {
        return write(session -> Pruning.prune(session, retention, now));
    }
}
