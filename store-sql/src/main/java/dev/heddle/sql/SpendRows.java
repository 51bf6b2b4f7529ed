package dev.heddle.sql;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.job.JobId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables {@code spend} and {@code budget}. Amounts are decimal text, which both databases store exactly. */
final class SpendRows {

    private static final Logger LOG = LoggerFactory.getLogger(SpendRows.class);

    private SpendRows() {}

    static int record(Tx tx, Spend spend) throws SQLException {
        return tx.update("""
                INSERT INTO heddle.spend (job, attempt, type, tags, started_at, at, usd, estimated, tokens)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (job, attempt) DO UPDATE SET at = excluded.at, usd = excluded.usd,
                    estimated = excluded.estimated, tokens = excluded.tokens""", spend.job(), spend.attempt(),
                spend.type(), Json.ofSet(spend.tags()), spend.startedAt(), spend.at(), spend.usd().toPlainString(),
                spend.estimated() ? 1 : 0, spend.tokens());
    }

    static List<Spend> since(Tx tx, Instant since) throws SQLException {
        List<Spend> spending = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT job, attempt, type, tags, started_at, at, usd, estimated, tokens FROM heddle.spend
                WHERE at >= ? ORDER BY at, job""", since)) {
            while (rows.next()) {
                readIntact(rows, SpendRows::spend).ifPresent(spending::add);
            }
        }
        return spending;
    }

    private static Spend spend(ResultSet row) throws SQLException {
        return new Spend(JobId.of(row.getString(1)), row.getInt(2), row.getString(3), Json.readSet(row.getString(4)),
                Rows.instant(row, 5), Rows.instant(row, 6), new BigDecimal(row.getString(7)), row.getInt(8) == 1,
                row.getLong(9));
    }

    private static Budget budget(ResultSet row) throws SQLException {
        return new Budget(Scope.of(row.getString(1)), Measure.of(row.getString(2)), new BigDecimal(row.getString(3)));
    }

    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Leaves out a damaged row, so that it does not hide the others. */
    private static <T> Optional<T> readIntact(ResultSet row, RowReader<T> reader) throws SQLException {
        try {
            return Optional.of(reader.read(row));
        } catch (RuntimeException e) {
            LOG.warn("Ignoring a damaged row of spending or budgets ({}): {}", row.getString(1), e.getMessage());
            return Optional.empty();
        }
    }

    static int forget(Tx tx, Instant before) throws SQLException {
        return tx.update("DELETE FROM heddle.spend WHERE at < ?", before);
    }

    static List<Budget> budgets(Tx tx) throws SQLException {
        List<Budget> budgets = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT scope, measure, amount FROM heddle.budget")) {
            while (rows.next()) {
                readIntact(rows, SpendRows::budget).ifPresent(budgets::add);
            }
        }
        // Sorted here because the two databases collate text differently.
        budgets.sort(Comparator.comparing(SpendRows::key));
        return budgets;
    }

    private static String key(Budget budget) {
        return budget.scope() + " " + budget.measure();
    }

    static int set(Tx tx, List<Budget> budgets) throws SQLException {
        int set = 0;
        for (Budget budget : budgets) {
            set += tx.update("""
                    INSERT INTO heddle.budget (scope, measure, amount) VALUES (?, ?, ?)
                    ON CONFLICT (scope, measure) DO UPDATE SET amount = excluded.amount""", budget.scope().toString(),
                    budget.measure().toString(), budget.limit().toPlainString());
        }
        return set;
    }

    static int remove(Tx tx, Scope scope, Measure measure) throws SQLException {
        return tx.update("DELETE FROM heddle.budget WHERE scope = ? AND measure = ?", scope.toString(),
                measure.toString());
    }
}
