package dev.heddle;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.heddle.job.HeddleException;
import dev.heddle.pool.DeadLetters;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.PoolSession;
import dev.heddle.pool.Submitter;
import dev.heddle.pool.TransactionalSubmitter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The arrows between the packages: pool → store → job, pool → worker → job. Each rule was seen to fail on a class
 * that broke it before it was let in.
 */
class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.heddle");

    private static void check(ArchRule rule) {
        assertThat(CORE.size()).as("there are classes to check").isGreaterThan(50);
        rule.check(CORE);
    }

    @Test
    void jobsKnowNothingAboveThem() {
        check(noClasses().that().resideInAPackage("dev.heddle.job..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.store..", "dev.heddle.worker..", "dev.heddle.pool.."));
    }

    @Test
    void storesKnowOnlyJobs() {
        check(noClasses().that().resideInAPackage("dev.heddle.store..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.worker..", "dev.heddle.pool.."));
    }

    @Test
    void workersKnowOnlyJobs() {
        check(noClasses().that().resideInAPackage("dev.heddle.worker..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.store..", "dev.heddle.pool.."));
    }

    @Test
    void theStagesOfTheEngineHaveNoCycles() {
        check(slices().matching("dev.heddle.engine.(*)..").should().beFreeOfCycles());
    }

    @Test
    void theStagesDoNotKnowTheNodeThatWiresThem() {
        check(noClasses().that().resideInAPackage("dev.heddle.engine.*..").should().dependOnClassesThat()
                .resideInAPackage("dev.heddle.engine"));
    }

    @Test
    void theEngineKnowsTheValuesOfTheApiAndNotItsEntryPoints() {
        check(noClasses().that().resideInAPackage("dev.heddle.engine..").should().dependOnClassesThat().belongToAnyOf(
                Pool.class, PoolBuilder.class, JobHandle.class, PoolSession.class, Submitter.class,
                TransactionalSubmitter.class, DeadLetters.class));
    }

    @Test
    void onlyThePoolPackageKnowsTheEngine() {
        check(noClasses().that().resideOutsideOfPackages("dev.heddle.pool..", "dev.heddle.engine..").should()
                .dependOnClassesThat().resideInAPackage("dev.heddle.engine.."));
    }

    @Test
    void noPublicSignatureNamesAnInternalType() {
        check(methods().that().arePublic().or().areProtected().and().areDeclaredInClassesThat()
                .resideOutsideOfPackages("dev.heddle.engine..", "dev.heddle.memory..").and().areDeclaredInClassesThat()
                .arePublic().should(nameNoInternalType()));
        check(constructors().that().arePublic().and().areDeclaredInClassesThat()
                .resideOutsideOfPackages("dev.heddle.engine..").and().areDeclaredInClassesThat().arePublic()
                .should(nameNoInternalType()));
    }

    private static ArchCondition<JavaCodeUnit> nameNoInternalType() {
        return new ArchCondition<>("name no type of dev.heddle.engine") {
            @Override
            public void check(JavaCodeUnit unit, ConditionEvents events) {
                if (!unit.getModifiers().contains(JavaModifier.PUBLIC)
                        && !unit.getModifiers().contains(JavaModifier.PROTECTED)) {
                    return;
                }
                Stream.concat(unit.getAllInvolvedRawTypes().stream(), Stream.of(unit.getRawReturnType()))
                        .map(JavaClass::getBaseComponentType)
                        .filter(type -> type.getPackageName().startsWith("dev.heddle.engine"))
                        .forEach(type -> events.add(SimpleConditionEvent.violated(unit,
                                unit.getFullName() + " names the internal type " + type.getName())));
            }
        };
    }

    @Test
    void budgetsKnowOnlyJobs() {
        check(noClasses().that().resideInAPackage("dev.heddle.budget..").should().dependOnClassesThat()
                .resideInAnyPackage("dev.heddle.store..", "dev.heddle.worker..", "dev.heddle.pool.."));
    }

    @Test
    void theCoreKnowsNoDatabaseDriverAndNoLoggingBackEnd() {
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("org.sqlite..", "org.postgresql..",
                "ch.qos.logback.."));
    }

    /** A simulation replays the engine only if nothing reads a clock, draws a number or starts a thread by itself. */
    @Test
    void timeRandomnessAndThreadsComeFromTheEnvironment() {
        check(noClasses().that().resideOutsideOfPackage("dev.heddle.env..").should()
                .callMethodWhere(target(owner(Set.of(System.class)).and(named("nanoTime", "currentTimeMillis"))
                        .or(owner(Set.of(Instant.class, LocalDate.class, ZonedDateTime.class)).and(named("now")))
                        .or(owner(Set.of(InstantSource.class)).and(named("system")))
                        .or(owner(Set.of(Clock.class)).and(named("systemUTC", "systemDefaultZone", "system")))
                        .or(owner(Set.of(ThreadLocalRandom.class)).and(named("current")))
                        .or(owner(Set.of(Math.class)).and(named("random")))
                        .or(owner(Set.of(UUID.class)).and(named("randomUUID")))
                        .or(owner(Set.of(Thread.class))
                                .and(named("ofPlatform", "ofVirtual", "startVirtualThread", "sleep")))
                        .or(owner(Set.of(LockSupport.class)).and(named("parkNanos", "parkUntil")))
                        .or(owner(Set.of(Object.class)).and(named("wait", "notify", "notifyAll")))
                        .or(owner(Set.of(TimeUnit.class)).and(named("sleep", "timedWait", "timedJoin"))))));
        check(noClasses().that().resideOutsideOfPackage("dev.heddle.env..").should()
                .callConstructor(Thread.class, Runnable.class).orShould().callConstructor(Random.class).orShould()
                .callConstructor(SecureRandom.class));
    }

    private static DescribedPredicate<AccessTarget> owner(Set<Class<?>> types) {
        return DescribedPredicate.describe("a method of " + types,
                target -> types.stream().anyMatch(type -> target.getOwner().isEquivalentTo(type)));
    }

    private static DescribedPredicate<AccessTarget> named(String... names) {
        return DescribedPredicate.describe("named " + List.of(names),
                target -> List.of(names).contains(target.getName()));
    }

    private static DescribedPredicate<JavaMethodCall> target(DescribedPredicate<AccessTarget> which) {
        return DescribedPredicate.describe("of " + which.getDescription(), call -> which.test(call.getTarget()));
    }

    @Test
    void publicExceptionsExtendHeddleException() {
        check(classes().that().areAssignableTo(Throwable.class).and().arePublic().should()
                .beAssignableTo(HeddleException.class));
    }

    @Test
    void decisionsDoNoInputOrOutput() {
        check(noClasses().that().resideInAPackage("dev.heddle.job..").should().dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.util.concurrent.locks.."));
    }
}
