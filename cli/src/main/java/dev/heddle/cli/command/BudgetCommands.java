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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    static final class ListAll extends ListCommand<BudgetView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<BudgetView> fetch(Control control) {
            return control.budgets();
        }

        @Override
        String id(BudgetView budget) {
            return budget.scope() + " " + budget.measure();
        }

        @Override
        void print(List<BudgetView> budgets, ShownIds ids) {
            print(table(context()), budgets);
            budgets.stream().filter(budget -> budget.state() != BudgetStatus.State.OPEN)
                    .forEach(budget -> output().info(budget.summary()));
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

        @Mixin
        private final BudgetScope scope = new BudgetScope();

        Set(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        void validate() {
            scope.validate();
            if (limit.signum() < 0) {
                throw CliException.usage("LIMIT must not be negative: " + limit);
            }
        }

        @Override
        ExitCode execute(Control control) {
            BudgetView budget = control.setBudget(new BudgetDraft(scope.text(), measure, limit));
            format().one(output(), budget, view -> table(context()).print(output(), List.of(view)));
            return ExitCode.OK;
        }
    }

    @Command(name = "remove", description = {"Remove a spending limit.",
        "Jobs no longer wait for it. A budget of heddle.yaml is set again when a node starts."})
    static final class Remove extends ControlCommand {

        @Parameters(paramLabel = "MEASURE", description = "What the budget limits, such as usd/24h.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String measure;

        @Mixin
        private final BudgetScope scope = new BudgetScope();

        Remove(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        void validate() {
            scope.validate();
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.removeBudget(scope.text(), measure),
                    _ -> output().print("removed " + scope.text() + " " + measure));
            return ExitCode.OK;
        }
    }
}
