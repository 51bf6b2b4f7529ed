package dev.heddle.cli.verb;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

import dev.heddle.budget.Standing;
import dev.heddle.budget.Usd;
import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Spans;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.BudgetDraft;
import dev.heddle.control.BudgetView;
import dev.heddle.control.Control;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands about budgets. */
final class BudgetVerbs {

    private BudgetVerbs() {}

    private static Table<BudgetView> table(Desk desk) {
        return new Table<BudgetView>().elastic("SCOPE", BudgetView::scope)
                .column("MEASURE", BudgetView::measure)
                .number("USED", budget -> amount(budget, budget.used()))
                .number("LIMIT", budget -> amount(budget, budget.limit()))
                .column("STATE", budget -> budget.state().name(), BudgetVerbs::style)
                .column("ROOM", budget -> budget.opensAt() == null ? ""
                        : Spans.relative(budget.opensAt(), desk.clock().instant()));
    }

    private static String amount(BudgetView budget, BigDecimal value) {
        return budget.measure().startsWith("usd") ? Usd.shown(value) : value.toPlainString();
    }

    private static Style style(BudgetView budget) {
        return switch (budget.state()) {
            case OPEN -> Style.GREEN;
            case WARNING -> Style.YELLOW;
            case CLOSED -> Style.RED;
        };
    }

    @Command(name = "list", description = "List all budgets and what is used of them.")
    static final class ListAll extends Question {
        ListAll(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            List<BudgetView> budgets = control.budgets();
            format().many(screen(), budgets, all -> table(desk()).print(screen(), all));
            budgets.stream().filter(budget -> budget.state() != Standing.State.OPEN)
                    .forEach(budget -> screen().say(budget.summary()));
            return Exit.OK;
        }
    }

    @Command(name = "set", description = {"Set a budget: what may be spent within a time that moves along.",
        "MEASURE is usd/24h, usd/7d, usd/30d, starts/min or tokens/min."})
    static final class Put extends Question {

        @Parameters(index = "0", paramLabel = "MEASURE", description = "What is limited, such as usd/24h.") @SuppressWarnings("NullAway.Init") // set before call()
        private String measure;

        @Parameters(index = "1", paramLabel = "LIMIT", description = "The most, such as 20 or 0.50; 0 for nothing at all.") @SuppressWarnings("NullAway.Init") // set before call()
        private BigDecimal limit;

        @Option(names = "--type", paramLabel = "TYPE", description = "Only for jobs of this type.") private @Nullable String type;

        @Option(names = "--tag", paramLabel = "TAG", description = "Only for jobs with this tag.") private @Nullable String tag;

        Put(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        void check() {
            if (type != null && tag != null) {
                throw CliException.usage(
                        "give --type or --tag, not both; without either the budget is for the whole pool");
            }
            if (limit.signum() < 0) {
                throw CliException.usage("a budget must not be below zero: " + limit.toPlainString());
            }
        }

        @Override
        Exit ask(Control control) {
            String scope = type != null ? "type:" + type : tag != null ? "tag:" + tag : "pool";
            BudgetView budget = control.setBudget(new BudgetDraft(scope, measure, limit));
            format().one(screen(), Objects.requireNonNull(budget),
                    view -> table(desk()).print(screen(), List.of(view)));
            return Exit.OK;
        }
    }
}
