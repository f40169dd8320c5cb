import AccountService
import Hummingbird

/// Puts routes into a router, each behind the checks that its line in the table asks for.
@available(siwaServer 1.0, *)
struct RouteGuards {
    private let router: Router<ServiceContext>
    private let controllers: Controllers
    private let origin: SameOriginMiddleware
    private let cookie: SessionCookieMiddleware
    private let session: AccessTokenMiddleware
    private let sessionOrEnded: AccessTokenMiddleware
    private let budgets: AddressBudgets
    private let callers: CallerReader

    init(
        router: Router<ServiceContext>, controllers: Controllers, domain: AccountDomain, budgets: AddressBudgets,
        callers: CallerReader
    ) {
        self.router = router
        self.controllers = controllers
        self.budgets = budgets
        self.callers = callers
        let tokens = TokenBudget(budgets: budgets, callers: callers)
        origin = SameOriginMiddleware(origin: domain.configuration.publicURL.origin)
        cookie = SessionCookieMiddleware(
            sessions: domain.sessions, budget: CookieBudget(budgets: budgets, callers: callers))
        session = AccessTokenMiddleware(sessions: domain.sessions, budget: tokens, allowsEndedSession: false)
        sessionOrEnded = AccessTokenMiddleware(sessions: domain.sessions, budget: tokens, allowsEndedSession: true)
    }

    /// Checks go from the outside to the inside: the origin of a form, the session, the budget.
    func add(_ route: Route) {
        let group = router.group()
        switch route.access {
        case .anyone(let handler), .formOfApple(let handler), .formOfProvider(let handler):
            add(route, to: group, handler)
        case .anyoneOrSession(let handler):
            add(route, to: group.add(middleware: session), handler)
        case .session(let handler):
            add(route, to: group.add(middleware: session), in: SessionContext.self, handler)
        case .sessionOrEnded(let handler):
            add(route, to: group.add(middleware: sessionOrEnded), in: EndedSessionContext.self, handler)
        case .page(let handler):
            add(route, to: group.add(middleware: origin), handler)
        case .visitor(let handler):
            add(route, to: group.add(middleware: origin).add(middleware: cookie), handler)
        case .browser(let handler):
            add(route, to: group.add(middleware: origin).add(middleware: cookie), in: BrowserContext.self, handler)
        case .files:
            controllers.assets.addRoutes(to: group)
        }
    }

    private func add(
        _ route: Route, to group: RouterGroup<ServiceContext>, _ handler: Route.Handler<ServiceContext>
    ) {
        charging(route.budget, in: group).on(RouterPath(route.path), method: route.method, use: handler(controllers))
    }

    private func add<Context: ChildRequestContext>(
        _ route: Route, to group: RouterGroup<ServiceContext>, in context: Context.Type,
        _ handler: Route.Handler<Context>
    ) where Context.ParentContext == ServiceContext {
        charging(route.budget, in: group).group(context: context)
            .on(RouterPath(route.path), method: route.method, use: handler(controllers))
    }

    private func charging(
        _ budget: Route.Budget?, in group: RouterGroup<ServiceContext>
    ) -> RouterGroup<ServiceContext> {
        switch budget {
        case .each(let kind):
            group.add(middleware: BudgetMiddleware(kind: kind, budgets: budgets, callers: callers))
        case .refused(let kind):
            group.add(middleware: RefusalBudgetMiddleware(kind: kind, budgets: budgets, callers: callers))
        case nil:
            group
        }
    }
}
