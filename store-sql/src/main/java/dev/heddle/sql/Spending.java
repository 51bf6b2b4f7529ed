package dev.heddle.sql;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.budget.Spend;
import dev.heddle.job.JobId;

/** What was spent, and the budgets. Amounts are text: neither database loses a cent of it, and sums are made above. */
final class Spending {

    private Spending() {}

    static int record(Session session, Spend spend) throws SQLException {
        return session.update("""
                INSERT INTO heddle.spend (job, attempt, type, tags, started_at, at, usd, estimated, tokens)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (job, attempt) DO UPDATE SET at = excluded.at, usd = excluded.usd,
                    estimated = excluded.estimated, tokens = excluded.tokens""", spend.job(), spend.attempt(),
                spend.type(), Json.tags(spend.tags()), spend.startedAt(), spend.at(),
                spend.usd().toPlainString(),
                spend.estimated() ? 1 : 0, spend.tokens());
    }

    static List<Spend> since(Session session, Instant since) throws SQLException {
        List<Spend> spending = new ArrayList<>();
        try (ResultSet rows = session.query("""
                SELECT job, attempt, type, tags, started_at, at, usd, estimated, tokens FROM heddle.spend
                WHERE at >= ? ORDER BY at, job""", since)) {
            while (rows.next()) {
                spending.add(new Spend(JobId.of(rows.getString(1)), rows.getInt(2), rows.getString(3),
                        Json.tags(rows.getString(4)), Rows.instant(rows, 5), Rows.instant(rows, 6),
                        new BigDecimal(rows.getString(7)), rows.getInt(8) == 1, rows.getLong(9)));
            }
        }
        return spending;
    }

    static int forget(Session session, Instant before) throws SQLException {
        return session.update("DELETE FROM heddle.spend WHERE at < ?", before);
    }

    static List<Budget> budgets(Session session) throws SQLException {
        List<Budget> budgets = new ArrayList<>();
        try (ResultSet rows = session.query("SELECT scope, measure, amount FROM heddle.budget")) {
            while (rows.next()) {
                budgets.add(new Budget(Scope.of(rows.getString(1)), Measure.of(rows.getString(2)),
                        new BigDecimal(rows.getString(3))));
            }
        }
        // Not by the database: each sorts text in a way of its own.
        budgets.sort(Comparator.comparing(Spending::key));
        return budgets;
    }

    private static String key(Budget budget) {
        return budget.scope() + " " + budget.measure();
    }

    static int set(Session session, List<Budget> budgets) throws SQLException {
        int set = 0;
        for (Budget budget : budgets) {
            set += session.update("""
                    INSERT INTO heddle.budget (scope, measure, amount) VALUES (?, ?, ?)
                    ON CONFLICT (scope, measure) DO UPDATE SET amount = excluded.amount""",
                    budget.scope().toString(), budget.measure().toString(), budget.limit().toPlainString());
        }
        return set;
    }
}
