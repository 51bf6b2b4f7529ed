package dev.heddle.cli.command;

import java.math.BigDecimal;
import java.util.List;

import dev.heddle.budget.BudgetStatus;
import dev.heddle.budget.Usd;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BudgetView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle budget}. */
final class BudgetCommands {

    private BudgetCommands() {}

    private static Table<BudgetView> table(CliContext context) {
        return new Table<BudgetView>().elastic("SCOPE", BudgetView::scope).column("MEASURE", BudgetView::measure)
                .number("USED", budget -> amount(budget, budget.used()))
                .number("LIMIT", budget -> amount(budget, budget.limit()))
                .column("STATE", budget -> budget.state().name(), BudgetCommands::style)
                .column("REOPENS", budget -> budget.opensAt() == null ? ""
                        : Durations.relative(budget.opensAt(), context.clock().instant()));
    }

    private static String amount(BudgetView budget, BigDecimal value) {
        return budget.measure().startsWith("usd") ? Usd.format(value) : value.toPlainString();
    }

    private static Style style(BudgetView budget) {
        return switch (budget.state()) {
            case OPEN -> Style.GREEN;
            case WARNING -> Style.YELLOW;
            case CLOSED -> Style.RED;
        };
    }

    @Command(name = "list", description = "List budgets and how much of each is used.")
    static final class ListAll extends ControlCommand {
        ListAll(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            List<BudgetView> budgets = control.budgets();
            format().many(output(), budgets, all -> table(context()).print(output(), all));
            budgets.stream().filter(budget -> budget.state() != BudgetStatus.State.OPEN)
                    .forEach(budget -> output().info(budget.summary()));
            return ExitCode.OK;
        }
    }

    @Command(name = "set", description = {"Set a spending limit.",
        "Limits the pool, a job type or a tag. The time window is rolling.",
        "Measures: usd/24h, usd/7d, usd/30d, starts/min, tokens/min."}, footerHeading = "%nExample:%n",
            footer = "  heddle budget set usd/24h 20 --type review")
    static final class Set extends ControlCommand {

        @Parameters(index = "0", paramLabel = "MEASURE", description = "What to limit, such as usd/24h.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String measure;

        @Parameters(index = "1", paramLabel = "LIMIT", description = "The limit, such as 20 or 0.50; 0 allows nothing.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private BigDecimal limit;

        @Option(names = "--type", paramLabel = "TYPE", description = "Limit only jobs of this type.")
        private @Nullable String type;

        @Option(names = "--tag", paramLabel = "TAG", description = "Limit only jobs with this tag.")
        private @Nullable String tag;

        Set(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        void validate() {
            if (type != null && tag != null) {
                throw CliException
                        .usage("use --type or --tag, not both; without them, the budget is for the whole pool");
            }
            if (limit.signum() < 0) {
                throw CliException.usage("LIMIT must not be negative: " + limit);
            }
        }

        @Override
        ExitCode execute(Control control) {
            String scope = type != null ? "type:" + type : tag != null ? "tag:" + tag : "pool";
            BudgetView budget = control.setBudget(new BudgetDraft(scope, measure, limit));
            format().one(output(), budget, view -> table(context()).print(output(), List.of(view)));
            return ExitCode.OK;
        }
    }
}
