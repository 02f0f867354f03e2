# Estimates of sampling designs by R's survey package, for tests/analysis/test_design_reference.py.
# Run here: Rscript designs.R. Writes made.csv, apiclus2.csv, nhanes.csv and designs_r.json.
# apistrat.csv and apiclus1.csv, with designs.json, come from the same package's public `api` data.
suppressMessages(library(survey))

json <- function(x) { # numbers with all their digits; base R has no writer
  if (is.null(x)) return("null")
  if (is.data.frame(x)) x <- as.list(x)
  if (is.matrix(x)) return(paste0("[", paste(apply(x, 1, function(r) json(I(r))), collapse = ", "), "]"))
  if (is.list(x)) {
    held <- vapply(x, json, "")
    if (is.null(names(x))) return(paste0("[", paste(held, collapse = ", "), "]"))
    held <- paste0('"', names(x), '": ', held)
    return(paste0("{", paste(held, collapse = ",\n "), "}"))
  }
  one <- if (is.character(x)) paste0('"', x, '"') else if (is.logical(x)) tolower(x) else sprintf("%.17g", x)
  one[is.na(x)] <- "null"
  if (is.numeric(x)) one[is.infinite(x)] <- "null"
  if (length(x) == 1 && !inherits(x, "AsIs")) one else paste0("[", paste(one, collapse = ", "), "]")
}
data(api); data(nhanes)
grake <- deparse(survey:::grake) # calibration asks for MASS, which need not be installed
grake <- sub("MASS::ginv(as(Tmat, \"matrix\"), tol = 256 * .Machine$double.eps)", "solve(as(Tmat, \"matrix\"))",
  paste(grake[!grepl("^<", grake)], collapse = "\n"), fixed = TRUE)
grake <- eval(parse(text = gsub("256 * \n", "256 * ", grake, fixed = TRUE)), asNamespace("survey"))
assignInNamespace("grake", grake, "survey")
tight <- list(epsilon = 1e-15, maxit = 200)

set.seed(20)
n <- 240
made <- data.frame(
  stratum = rep(1:6, each = 40), psu = rep(rep(1:4, each = 10), 6), unit = 1:n)
made$psu[made$stratum == 6] <- 1
made$ssu <- rep(rep(1:5, each = 2), 24)
made$weight <- round(exp(rnorm(n, 3, 0.5)), 3)
made$zero <- ifelse(1:n %% 17 == 0, 0, made$weight)
made$size1 <- c(12, 9, 30, 8, 20, 5)[made$stratum]
made$size2 <- 15
made$prob <- round(runif(n, 0.01, 0.2), 5)
made$region <- c("north", "south", "west")[1 + (made$stratum * 7 + made$psu) %% 3]
made$sex <- ifelse(runif(n) < 0.45, "male", "female")
made$age <- 18 + floor(60 * runif(n))
made$income <- round(exp(rnorm(n, 3, 0.4) + made$psu / 10 + made$stratum / 20), 6)
made$spent <- round(made$income * runif(n, 0.2, 0.8), 6)
made$income[c(5, 77, 130)] <- NA
made$buys <- as.integer(runif(n) < plogis((made$income - 25) / 12 + 0.3 * (made$sex == "male")))
made$liking <- cut(made$age / 30 + 2 * runif(n) + made$psu / 4, c(-1, 1.6, 2.4, 3.2, 9), labels = c("a", "b", "c", "d"))
made$two <- 1 + (made$psu + 1) %% 2
two <- subset(made, psu <= 2 & stratum <= 5)
write.csv(made, "made.csv", row.names = FALSE, quote = FALSE, na = "")
write.csv(apiclus2[, c("stype", "dnum", "snum", "api00", "api99", "enroll", "ell", "meals", "sch.wide",
  "comp.imp", "awards", "fpc1", "fpc2", "pw")], "apiclus2.csv", row.names = FALSE, quote = FALSE, na = "")
some <- nhanes[nhanes$SDMVSTRA <= 77, ]
some$agecat <- c("to 19", "20 to 39", "40 to 59", "60 on")[as.integer(some$agecat)]
write.csv(some, "nhanes.csv", row.names = FALSE, quote = FALSE, na = "")
made <- read.csv("made.csv", na.strings = "") # with the digits of the files
apiclus1 <- read.csv("apiclus1.csv"); apiclus2 <- read.csv("apiclus2.csv"); some <- read.csv("nhanes.csv", na.strings = "")
two <- subset(made, psu <= 2 & stratum <= 5)

stat <- function(m, df) {
  v <- vcov(m)
  list(est = unname(coef(m)), se = unname(sqrt(diag(as.matrix(v)))), cov = unname(as.matrix(v)),
    deff = if (is.null(attr(m, "deff"))) NULL else unname(diag(as.matrix(attr(m, "deff")))), df = df)
}
rep_ <- function(d) inherits(d, "svyrep.design")

cases <- list()
add <- function(...) { cat(..1, ""); tryCatch(add_(...), error = function(e) { cat("\nFAILED", ..1, conditionMessage(e), "\n") }) }
add_ <- function(name, file, design, d, y, z, share, level, by, extra = list(), models = TRUE,
  score = TRUE) {
  fy <- as.formula(paste0("~", y)); fby <- as.formula(paste0("~", by))
  flag <- as.formula(paste0("~I(as.numeric(", share, " == '", level, "'))"))
  yes <- as.formula(paste0("~I(", share, " == '", level, "')"))
  df <- degf(d)
  r <- list(y = y, z = z, share = share, level = level, across = by)
  m <- svymean(fy, d, na.rm = TRUE, deff = "replace")
  r$mean <- c(stat(m, df), list(ci = as.vector(confint(m, df = df))))
  r$total <- c(stat(svytotal(fy, d, na.rm = TRUE, deff = "replace"), df))
  r$total_srswor <- as.vector(deff(suppressWarnings(svytotal(fy, d, na.rm = TRUE, deff = TRUE))))
  rr <- svyratio(fy, as.formula(paste0("~", z)), d, na.rm = TRUE)
  r$ratio <- list(est = as.vector(coef(rr)), se = as.vector(SE(rr)))
  r$shares <- stat(svymean(as.formula(paste0("~factor(", share, ")")), d, na.rm = TRUE), df)
  r$shares$levels <- sort(unique(as.character(d$variables[[share]])))
  r$ciprop <- list()
  for (method in c("logit", "beta", "xlogit", "mean", "asin"))
    r$ciprop[[method]] <- as.vector(confint(svyciprop(yes, d, method = method, na.rm = TRUE)))
  b <- svyby(fy, fby, d, svymean, na.rm = TRUE)
  r$by <- list(levels = as.character(b[[1]]), est = unname(b[[2]]), se = unname(SE(b)))
  r$by_df <- sapply(r$by$levels, function(l) degf(d[as.vector(d$variables[[by]] == l), ]))
  if (rep_(d)) {
    b <- svyby(fy, fby, d, svymean, na.rm = TRUE, covmat = TRUE)
    r$by$cov <- unname(vcov(b))
  }
  r$quantile <- list()
  ps <- c(0.1, 0.5, 0.75)
  types <- if (rep_(d)) c("mean", "quantile") else c("mean", "xlogit", "beta", "asin", if (score) "score")
  for (type in types) { # with replicates, R takes "mean" whatever is asked
    q <- try(suppressWarnings(svyquantile(fy, d, ps, na.rm = TRUE, interval.type = type)), silent = TRUE)
    if (!inherits(q, "try-error")) r$quantile[[type]] <- unname(q[[1]])
  }
  for (rule in c("school", "hf4", "hf7")) {
    q <- suppressWarnings(svyquantile(fy, d, ps, na.rm = TRUE, qrule = rule))
    r$quantile[[rule]] <- unname(q[[1]])
  }
  f2 <- as.formula(paste0("~", share, "+", by))
  r$chisq <- list()
  for (s in c("F", "Chisq", "Wald", "adjWald")) {
    k <- try(svychisq(f2, d, statistic = s), silent = TRUE)
    if (!inherits(k, "try-error")) r$chisq[[s]] <- list(statistic = as.vector(k$statistic), df = as.vector(k$parameter), p = as.vector(k$p.value))
  }
  tt <- svyttest(as.formula(paste0(y, " ~ I(as.numeric(", share, " == '", level, "'))")), d)
  r$ttest <- list(t = as.vector(tt$statistic), df = as.vector(tt$parameter), p = as.vector(tt$p.value), diff = as.vector(tt$estimate))
  if (models) {
    fit <- function(f, family) {
      g <- svyglm(f, d, family = family, control = tight)
      c0 <- suppressWarnings(summary(g)$coefficients)
      list(term = rownames(c0), est = unname(c0[, 1]), se = unname(c0[, 2]), p = unname(c0[, 4]), df = g$df.residual,
        cov = unname(vcov(g)))
    }
    g1 <- as.formula(paste0(y, " ~ ", z, " + ", by))
    r$gaussian <- fit(g1, gaussian())
    r$binomial <- fit(as.formula(paste0("I(as.numeric(", share, " == '", level, "')) ~ ", y, "+", by)), quasibinomial())
    r$poisson <- fit(as.formula(paste0("I(round(", z, ")) ~ ", y)), quasipoisson())
  }
  cases[[name]] <<- c(list(file = file, design = design), r, extra)
}

d2 <- svydesign(id = ~dnum + snum, fpc = ~fpc1 + fpc2, data = apiclus2)
clus2 <- list(clusters = c("dnum", "snum"), fpc = c("fpc1", "fpc2"))
add("clus2", "apiclus2", clus2, d2, "api00", "api99", "comp.imp", "Yes", "stype")
add("clus2_weight", "apiclus2", list(weight = "pw", clusters = c("dnum", "snum")),
  svydesign(id = ~dnum + snum, weights = ~pw, data = apiclus2), "api00", "api99", "comp.imp", "Yes", "stype")
sub <- subset(d2, sch.wide == "Yes")
add("clus2_domain", "apiclus2", clus2, sub, "api00", "api99", "awards", "Yes", "stype",
  list(where = list(column = "sch.wide", value = "Yes")))

dn <- svydesign(id = ~SDMVPSU, strata = ~SDMVSTRA, weights = ~WTMEC2YR, nest = TRUE, data = some)
add("nhanes", "nhanes", list(weight = "WTMEC2YR", strata = "SDMVSTRA", clusters = "SDMVPSU", nest = TRUE), dn,
  "RIAGENDR", "race", "HI_CHOL", "1", "agecat")
add("nhanes_domain", "nhanes", list(weight = "WTMEC2YR", strata = "SDMVSTRA", clusters = "SDMVPSU", nest = TRUE),
  subset(dn, race == 2), "RIAGENDR", "race", "HI_CHOL", "1", "agecat", list(where = list(column = "race", value = 2)),
  models = FALSE)

five <- subset(made, stratum <= 5)
some_rows <- list(rows = "five")
pps <- svydesign(id = ~unit, probs = ~prob, data = made)
add("pps", "made", list(probabilities = "prob"), pps, "income", "spent", "sex", "male", "region")
brewer <- svydesign(id = ~unit, fpc = ~prob, data = made, pps = "brewer")
add("brewer", "made", list(fpc = "prob"), brewer, "income", "spent", "sex", "male", "region",
  score = FALSE) # R counts rows without an answer
three <- svydesign(id = ~psu + ssu + unit, strata = ~stratum, fpc = ~size1 + size2 + I(4 + 0 * unit), weights = ~weight, nest = TRUE, data = transform(five))
add("three", "made", list(weight = "weight", strata = "stratum", clusters = c("psu", "ssu", "unit"),
  fpc = c("size1", "size2", "four"), nest = TRUE), three, "income", "spent", "sex", "male", "region", some_rows)
zero <- svydesign(id = ~psu, strata = ~stratum, weights = ~zero, nest = TRUE, data = five)
add("zero", "made", list(weight = "zero", strata = "stratum", clusters = "psu", nest = TRUE), subset(zero, zero > 0),
  "income", "spent", "sex", "male", "region", c(some_rows, list(positive = TRUE)))

fitted <- deparse(getAnywhere("svyolr.survey.design2")$objs[[1]])
fitted <- gsub("MASS::ginv", "solve", paste(fitted[!grepl("^<", fitted)], collapse = "\n"), fixed = TRUE)
fitted <- sub("fit$call[[1]] <- as.name(.Generic)", "", fitted, fixed = TRUE)
fitted <- eval(parse(text = fitted), asNamespace("survey"))
olr <- function(d) {
  o <- fitted(liking ~ age + sex, d, control = list(reltol = 1e-15, maxit = 1000, ndeps = rep(1e-5, 5)))
  list(est = unname(c(o$coefficients, o$zeta)), se = unname(sqrt(diag(o$var))), df = o$df.residual)
}
cases$three$ordinal <- olr(update(three, liking = factor(liking)))

lonely <- list(weight = "weight", strata = "stratum", clusters = "psu", nest = TRUE)
for (option in c("remove", "adjust", "average", "certainty")) {
  options(survey.lonely.psu = option)
  d <- svydesign(id = ~psu, strata = ~stratum, weights = ~weight, nest = TRUE, data = made)
  add(paste0("single_", option), "made", c(lonely, list(single_psu = option)), d, "income", "spent", "sex", "male", "region",
    models = option == "adjust")
  if (option == "average") next # R gives NaN: no second stage has a stratum to take the variance from
  d <- svydesign(id = ~psu + ssu, strata = ~stratum, fpc = ~size1 + size2, weights = ~weight, nest = TRUE,
    data = subset(made, !(stratum == 2 & psu == 1 & ssu > 1)))
  add(paste0("single_stage_", option), "made", list(weight = "weight", strata = "stratum", clusters = c("psu", "ssu"),
    fpc = c("size1", "size2"), nest = TRUE, single_psu = option), d, "income", "spent", "sex", "male", "region",
    list(rows = "one_ssu"), models = FALSE)
}
options(survey.lonely.psu = "fail")

clus1 <- svydesign(id = ~dnum, weights = ~pw, fpc = ~fpc, data = apiclus1)
strat <- svydesign(id = ~1, strata = ~stype, weights = ~pw, fpc = ~fpc, data = apistrat)
named <- list(weight = "pw", clusters = "dnum", fpc = "fpc")
types <- data.frame(stype = c("E", "H", "M"), Freq = c(4421, 755, 1018))
wide <- data.frame(sch.wide = c("No", "Yes"), Freq = c(1072, 5122))
margin <- list(columns = "stype", totals = list(list("E", 4421), list("H", 755), list("M", 1018)))
margin2 <- list(columns = "sch.wide", totals = list(list("No", 1072), list("Yes", 5122)))
steps <- function(method, margins, ...) list(calibration = list(list(method = method, margins = margins, ...)))
add("poststratified", "apiclus1", c(named, steps("poststratify", list(margin))),
  postStratify(clus1, ~stype, types), "api00", "api99", "comp.imp", "Yes", "stype")
dr <- rake(clus1, list(~stype, ~sch.wide), list(types, wide), control = list(maxit = 1000, epsilon = 1e-11))
add("raked", "apiclus1", c(named, steps("rake", list(margin, margin2))), dr, "api00", "api99", "comp.imp", "Yes", "stype",
  list(weights = weights(dr)))
pop <- c(`(Intercept)` = 6194, stypeH = 755, stypeM = 1018, api99 = 3914069)
greg <- calibrate(clus1, ~stype + api99, pop)
add("greg", "apiclus1", c(named, steps("linear", list(margin), numbers = list(api99 = 3914069))), greg,
  "api00", "enroll", "comp.imp", "Yes", "stype", list(weights = weights(greg)))
bounded <- calibrate(clus1, ~stype + api99, pop, calfun = "linear", bounds = c(0.4, 1.6), epsilon = 1e-13)
add("bounded", "apiclus1", c(named, steps("linear", list(margin), numbers = list(api99 = 3914069), bounds = c(0.4, 1.6))),
  bounded, "api00", "enroll", "comp.imp", "Yes", "stype", list(weights = weights(bounded)))
logit <- calibrate(clus1, ~stype + api99, pop, calfun = "logit", bounds = c(0.5, 1.8), epsilon = 1e-13)
add("logit", "apiclus1", c(named, steps("logit", list(margin), numbers = list(api99 = 3914069), bounds = c(0.5, 1.8))),
  logit, "api00", "enroll", "comp.imp", "Yes", "stype", list(weights = weights(logit)))
cr <- calibrate(clus1, ~stype + api99, pop, calfun = "raking", epsilon = 1e-13)
add("raking", "apiclus1", c(named, steps("raking", list(margin), numbers = list(api99 = 3914069))),
  cr, "api00", "enroll", "comp.imp", "Yes", "stype", list(weights = weights(cr)))
cd <- subset(greg, comp.imp == "Yes")
add("greg_domain", "apiclus1", c(named, steps("linear", list(margin), numbers = list(api99 = 3914069))), cd,
  "api00", "enroll", "awards", "Yes", "stype", list(where = list(column = "comp.imp", value = "Yes")),
  score = FALSE) # R counts rows outside of the subpopulation

reps <- function(r) { w <- as.data.frame(weights(r, "analysis")); names(w) <- paste0("r", seq_along(w)); w }
replicates <- list()
keep <- function(name, d) { w <- reps(d); replicates[[name]] <<- unname(as.list(w)); w }
base <- svydesign(id = ~psu, strata = ~stratum, weights = ~weight, nest = TRUE, data = five)
pairs <- svydesign(id = ~psu, strata = ~stratum, weights = ~weight, nest = TRUE, data = two)
given <- function(name, d, kind, rows, ...) {
  w <- keep(name, d)
  e <- svrepdesign(data = d$variables, repweights = w, weights = d$pweights, type = kind, combined.weights = TRUE, ...)
  add(name, "made", list(weight = "weight", replicates = list(kind = tolower(kind), ...)), e, "income", "spent",
    "liking", "c", "sex", list(rows = rows, replicates = name), models = kind %in% c("BRR", "JKn", "bootstrap"))
  e
}
jkn <- as.svrepdesign(base, type = "JKn")
brr <- given("brr", as.svrepdesign(pairs, type = "BRR"), "BRR", "two")
invisible(given("fay", as.svrepdesign(pairs, type = "Fay", fay.rho = 0.3), "Fay", "two", rho = 0.3))
invisible(given("jkn", jkn, "JKn", "five", rscales = jkn$rscales))
boot <- as.svrepdesign(base, type = "subbootstrap", replicates = 30)
invisible(given("bootstrap", boot, "bootstrap", "five"))
invisible(given("bootstrap_mse", boot, "bootstrap", "five", mse = TRUE))
acs <- svrepdesign(data = five, repweights = keep("acs", boot), weights = five$weight, type = "successive-difference")
add("sdr", "made", list(weight = "weight", replicates = list(kind = "sdr")), acs, "income", "spent", "sex", "male", "region",
  list(rows = "five", replicates = "bootstrap"), models = FALSE)
factors <- as.data.frame(weights(jkn, "analysis") / five$weight); names(factors) <- paste0("r", seq_along(factors))
un <- svrepdesign(data = five, repweights = factors, weights = five$weight, type = "JKn", combined.weights = FALSE,
  rscales = jkn$rscales, scale = 1)
replicates$uncombined <- unname(as.list(factors))
add("uncombined", "made", list(weight = "weight", replicates = list(kind = "jkn", rscales = jkn$rscales, combined = FALSE)),
  un, "income", "spent", "sex", "male", "region", list(rows = "five", replicates = "uncombined"), models = FALSE)
rd <- subset(brr, age < 50)
add("brr_domain", "made", list(weight = "weight", replicates = list(kind = "brr")), rd, "income", "spent", "liking", "c",
  "sex", list(rows = "two", replicates = "brr", where = list(column = "age", max = 49.5)), models = FALSE)
jc <- as.svrepdesign(clus1, type = "JK1")
add("jk1_made", "apiclus1", c(named, list(replicates = list(kind = "jk1"))), jc, "api00", "api99", "comp.imp", "Yes", "stype")
jp <- postStratify(jc, ~stype, types)
add("jk1_poststratified", "apiclus1", c(named, list(replicates = list(kind = "jk1")), steps("poststratify", list(margin))), jp,
  "api00", "api99", "comp.imp", "Yes", "stype", models = FALSE)
jr <- calibrate(jc, ~stype + api99, pop)
add("jk1_greg", "apiclus1", c(named, list(replicates = list(kind = "jk1")), steps("linear", list(margin), numbers = list(api99 = 3914069))),
  jr, "api00", "enroll", "comp.imp", "Yes", "stype", models = FALSE)
js <- as.svrepdesign(base, type = "JKn")
add("jkn_made", "made", list(weight = "weight", strata = "stratum", clusters = "psu", nest = TRUE, replicates = list(kind = "jkn")),
  js, "income", "spent", "sex", "male", "region", list(rows = "five"))
dj <- svydesign(id = ~psu, strata = ~stratum, weights = ~weight, fpc = ~size1, nest = TRUE, data = five)
add("jkn_fpc", "made", list(weight = "weight", strata = "stratum", clusters = "psu", nest = TRUE, fpc = "size1", replicates = list(kind = "jkn")),
  as.svrepdesign(dj, type = "JKn"), "income", "spent", "sex", "male", "region", list(rows = "five"), models = FALSE)
writeLines(json(list(source = paste("R", getRversion(), "survey", packageVersion("survey")), cases = cases,
  replicates = replicates)), "designs_r.json")
